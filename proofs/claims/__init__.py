"""The paper's statements as executable claims, one module a claim."""
