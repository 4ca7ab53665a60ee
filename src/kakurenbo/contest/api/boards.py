"""The board and the matrix, as far as everybody may see them now."""

from fastapi import APIRouter, Request

from kakurenbo.contest.api.answers import BoardAnswer, MatrixAnswer
from kakurenbo.contest.api.routing import contest_of, route
from kakurenbo.contest.board import board as board_of
from kakurenbo.contest.matrix import matrix as matrix_of

router = APIRouter(tags=["board"])


@router.get("/board", **route("anyone"))
def board(request: Request) -> BoardAnswer:
    """Tell who hid and who sought best: before the end what the rules allow, at the end all at once."""
    return BoardAnswer.model_validate(board_of(contest_of(request)))


@router.get("/matrix", **route("anyone"))
def matrix(request: Request) -> MatrixAnswer:
    """Tell who found how many of whom; before the end only where there is a valid guess."""
    return MatrixAnswer.model_validate(matrix_of(contest_of(request)))
