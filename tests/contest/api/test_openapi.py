"""The description of the API is whole: every route, parameter, answer and field is told in words."""

import pytest

SMALL = {"anyone": set(), "others": {"401", "403"}}


@pytest.fixture
def described(api):
    return api.get("/openapi.json").json()


def operations(described):
    return [
        (path, method, one) for path, methods in described["paths"].items() for method, one in methods.items()
    ]


def test_every_route_is_told_and_answers_with_what_is_typed(described):
    found = operations(described)
    assert len(found) > 14
    for path, _, one in found:
        assert path.startswith("/api/v1/")
        assert len(one["description"]) > 20, path
        good = next(answer for status, answer in one["responses"].items() if status.startswith("2"))
        typed = good.get("content", {}).get("application/json", {}).get("schema", {})
        assert "$ref" in typed or "/{" in path, path
        for parameter in one.get("parameters", []):
            assert parameter["in"] == "path" or parameter["description"], path


def test_whoever_needs_a_token_is_told_so(described):
    assert described["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    open_to_all = {"contest", "rules", "schedule", "board", "matrix"}
    for path, method, one in operations(described):
        is_open = path.removeprefix("/api/v1/") in open_to_all and method == "get"
        assert ("security" in one) != is_open, path
        assert {"401", "403"} <= {*one["responses"]} or is_open, path


def test_refusals_have_one_form_and_every_field_its_words(described):
    schemas = described["components"]["schemas"]
    assert {"code", "message"} <= {*schemas["Refused"]["properties"]}
    ours = {
        name: one for name, one in schemas.items() if name not in {"HTTPValidationError", "ValidationError"}
    }
    for name, schema in ours.items():
        for field, told in schema.get("properties", {}).items():
            assert told.get("description"), f"{name}.{field}"


def test_uploads_are_raw_bodies(described):
    put = described["paths"]["/api/v1/submissions"]["put"]
    assert [*put["requestBody"]["content"]] == ["application/octet-stream"]
    assert "201" in put["responses"]
    assert {"409", "413", "422", "429"} <= {*put["responses"]}
