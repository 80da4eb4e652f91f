"""Programs as C99 text."""

from leverarm.compiler.c99.expression import Real
from leverarm.compiler.c99.function import definition
from leverarm.compiler.c99.identifiers import identifier
from leverarm.compiler.c99.signature import Parameter, Signature, signature_of
from leverarm.compiler.c99.support import support

__all__ = ["Parameter", "Real", "Signature", "definition", "identifier", "signature_of", "support"]
