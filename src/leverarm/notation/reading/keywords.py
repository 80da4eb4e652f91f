"""The signs people write mathematics with, in LaTeX and in plain words, and what the reader calls them."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


def table(text: str) -> dict[str, str]:
    """ "frac bar:tilde" as {"frac": "frac", "bar": "tilde"}."""
    pairs = (word.partition(":") for word in text.split())
    return {word: meaning or word for word, _, meaning in pairs}


_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
    "nu xi omicron pi rho sigma tau upsilon phi chi psi omega"
)
GREEK = words(_GREEK) | words(_GREEK.title())
_VARIANTS = "varphi:phi vartheta:theta varepsilon:epsilon varrho:rho varpi:pi varsigma:sigma ell hbar imath:i jmath:j"
NAMES = {name: name for name in GREEK} | table(_VARIANTS)
"""Commands that are letters."""

FUNCTIONS = table("sin cos tan tanh sqrt sgn abs det sign:sgn sen:sin Sin:sin Cos:cos Tan:tan Sqrt:sqrt Abs:abs")
"""Words that are functions, and the name each has in the tree."""
OTHER_FUNCTIONS = words(
    "arcsin arccos arctan atan asin acos atan2 sec csc cot sinh cosh coth exp ln log max min lim sup inf arg"
)
WHOLE_WORDS = words("KE PE diag inv transpose qd qdd dq ddq Ad ad")
"""Words that stay whole even in LaTeX, where letters side by side are factors."""

ACCENTS = table("dot ddot dddot vec overrightarrow:vec hat widehat:hat bar overline:bar tilde widetilde:tilde")
DOTS = {"dot": 1, "ddot": 2, "dddot": 3}
STYLES = words("mathcal mathfrak mathscr mathbb")
UNMARKED = words(
    "mathbf boldsymbol bm pmb mathit mathsf mathtt mathnormal bf it rm sf bold symbf symbfit displaystyle "
    "textstyle scriptstyle limits nolimits nonumber notag mathstrut hfill hfil noindent centering strut relax "
    "hline middle left right xspace protect"
)
"""Type and spacing that change nothing: the command is dropped."""
BOXES = words("underline boxed fbox mbox hbox ensuremath uline smash")
"""Commands around a group that change nothing but may have an equation inside."""
LABELLED = words("textcolor underset overset stackrel")
"""Commands whose first group is dropped and whose second counts."""
WORDS = words(
    "text textrm textbf textit textsf texttt textnormal mathrm operatorname intertext textup mathop emph shortintertext"
)
"""Commands whose group is words, or one name of several letters."""
UNSEEN = words("label tag hspace vspace phantom vphantom hphantom ref eqref cite color footnote hskip kern eqno")
"""Commands that are dropped with their group."""
FRACTIONS = words("frac dfrac tfrac cfrac nicefrac sfrac")
SIGNS = table(
    "cdot bullet:cdot ast:* star:* times div:/ top intercal:top equiv:= triangleq:= coloneqq:= coloneq:= "
    "colonequals:= eqqcolon:= eqcolon:= doteq:= partial sum "
    "circ:degree degree prime:' newline:row cr:row implies Rightarrow:implies Longrightarrow:implies iff:implies "
    "Leftrightarrow:implies therefore:implies"
)
"""Commands that are signs, and the kind of the sign."""
RELATIONS = words(
    "le leq leqslant ge geq geqslant lt gt ne neq in notin approx sim simeq cong propto succeq succ preceq prec to "
    "rightarrow longrightarrow mapsto subset forall exists gets leftarrow perp parallel mid ll gg colon"
)
OMISSIONS = words("cdots ldots dots vdots ddots dotsc dotsm dotsb hdots")
GAPS = words("quad qquad enspace enskip thinspace medspace thickspace space")
BRACKETS = table("lbrace:{ rbrace:} lbrack:[ rbrack:] lvert:| rvert:| langle:< rangle:> lVert:\\| rVert:\\|")
MATRICES = words("bmatrix pmatrix matrix Bmatrix smallmatrix array bsmallmatrix psmallmatrix")
ROWS = words(
    "equation align aligned alignat alignedat gather gathered split cases dcases rcases eqnarray multline multlined "
    "flalign subequations math displaymath array IEEEeqnarray"
)
"""Environments whose rows are equations or parts of one."""
CONJUNCTIONS = words("and or where with for if then when so thus hence which is that as since")

COMMANDS = tuple(
    sorted(
        {*NAMES, *FUNCTIONS, *ACCENTS, *STYLES, *UNMARKED, *WORDS, *FRACTIONS, *SIGNS, *RELATIONS, *OMISSIONS, *GAPS}
        | words("begin end underbrace overbrace")
    )
)


def nearest(word: str, among: Iterable[str]) -> str:
    """The most similar of some words, where one begins with the same letter; else nothing."""
    if len(word) > 24:
        return ""
    alike = [name for name in among if abs(len(name) - len(word)) < 3 and name[:1] == word[:1]]
    return next(iter(get_close_matches(word, alike, 1)), "")
