# The names of the shop window, each written once: `__init__.py` reads them from here.
from . import attacks as attacks
from . import cheats as cheats
from . import datasets as datasets
from . import demo as demo
from . import measures as measures
from . import methods as methods
from . import report as report
from . import theory as theory
from .attacks.purchases.likeness import JaccardAttack as JaccardAttack
from .auditing.audit import audit as audit
from .catalogue import CATALOGUE as CATALOGUE
from .data.guess import Guess as Guess
from .data.microdata import Microdata as Microdata
from .data.owners import Owners as Owners
from .data.pairing import Pairing as Pairing
from .data.purchases import Purchases as Purchases
from .data.release import Release as Release
from .deidentify.purchases.clustered import Balanced as Balanced
from .errors import InputError as InputError
from .errors import KakurenboError as KakurenboError
from .errors import ParameterError as ParameterError
from .errors import WriteError as WriteError
from .files.hierarchy import read_hierarchy as read_hierarchy
from .files.pairings import read_owners as read_owners
from .files.pairings import read_pairing as read_pairing
from .files.pairings import write_pairing as write_pairing
from .files.read import read_microdata as read_microdata
from .files.read import read_purchases as read_purchases
from .handover import write_release as write_release
from .plan import Plan as Plan
from .progress import Progress as Progress
from .risk.excess.judge import Excess as Excess
from .risk.found import reidentification as reidentification
from .risk.profile import profile as profile
from .tuning.search import tune as tune

__version__: str
