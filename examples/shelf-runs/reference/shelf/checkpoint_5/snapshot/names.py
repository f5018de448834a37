"""What names and tags may look like."""


class BadName(ValueError):
    """A text cannot be a name or a tag."""


def check_name(text):
    """Gives the name back, or raises BadName."""
    if not text or "," in text or any(letter.isspace() for letter in text):
        raise BadName(f"{text!r} is not a name")
    return text


def check_tag(text):
    """Gives the tag in the form in which it is stored, or raises BadName."""
    if ";" in text:
        raise BadName(f"{text!r} is not a tag")
    return check_name(text).lower()
