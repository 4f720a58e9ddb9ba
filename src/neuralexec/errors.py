"""What a user did wrong, told in one line; the command prints it and leaves with status 2."""


class InputError(ValueError):
    """Something the user gave cannot be used: says what is wrong and what to do."""


class InputWarning(UserWarning):
    """Something the user gave was usable only after a change they should know of."""
