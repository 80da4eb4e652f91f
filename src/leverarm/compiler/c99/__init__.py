"""Programs as C99 text."""

from leverarm.compiler.c99.function import Parameter, Real, Signature, definition, identifier, signature_of
from leverarm.compiler.c99.support import support
