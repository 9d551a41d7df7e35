// Fails on retired names and phrases: see docs/contributing.md. Names are checked where they are declared. Fails too on
// long lines of comments, on links to names that their file does not have, and if the glossary is not sorted.
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import ts from "typescript"

/** Retired names of declarations, the term to use instead, and names that match and are meant. */
const names = [
  [/^most[A-Z]/, "maxX"],
  [/^longest(?!In[A-Z])\w*/, "maxX with its unit; timeout for durations"],
  [/patience/i, "timeout"],
  [/^nobody|nobodys$/i, "say what is absent: anonymous, none, unassigned"],
  [/^(whoever|somebody|everybody)/i, "name the role: caller, subscriber, administrator"],
  [/^(un)?(re)?drawn?([A-Z]|$)/, "token, takeToken, RateTokenRequest"],
  [/^giveBack|^givenBack/, "refund"],
  [/^[hH]ears?([A-Z]|$)|^([uU]n)?[hH]eard$|^whyUnheard$/, "isSubscribed, skipReason"],
  [/^why[A-Z]/, "xReason"],
  [/^ear$|Ear$/, "endpoint"],
  [/^told$|^toldOf$|^toldTo$|^tell[A-Z]/i, "notify, report; reported, message"],
  [/^words$|Words$/, "message, text, keywords"],
  [/^wish(es|ed|Of)?$|^wished[A-Z]/i, "request, claimRequest"],
  [/^(meet[A-Z]|meeting$|met$|acquaint)/i, "findOrCreateContact, ContactLookup, ContactAndConversation"],
  [/^occasion$/i, "context, MessageContext"],
  [/^talk$/i, "conversation"],
  [/^(carryOut|carriedOut|carried)$/i, "apply, execute; ActionResult"],
  [/^(means|Means)$|[a-z]Means$/, "services"],
  [/^walk$/i, "progress, RunProgress"],
  [/^(manner|surfaces?|annex|annexes)$/i, "policy, ApiModule, MountedHandler"],
  [/^door$|Door$/, "ProviderContext"],
  [/^(draft|draftOf)$|^[a-z]\w*Draft$/, "PartialDecode, decoded, decodeX"],
  [
    /^(ownTime|lineMover|moveLine|lineSetBack|departs|departure)$/i,
    "virtualTime, postponeQueue, resetQueue, sendReadiness"
  ],
  [/^(recall|recalled|remember)$/i, "lookUpIdempotency, replay, storeIdempotency"],
  [
    /^(chosen|asked|foretold|persistently|outgrownLists|sharedOut|inTurn|keepUnknown|raiseMarks|speak|spoken|converse|conversed)$/i,
    "see docs/contributing.md"
  ],
  [/^makeHints$|Hints$/, "cache"],
  [/^(spelledTags|spellings)$/, "canonicalTags"],
  [/^(deeds?|fate|fateOf|doings?)$/i, "actions, state, status"]
]

/** Retired phrases in comments, in strings of several words, and in documents. */
const phrases = [
  [/\b(whoever|whosoever|whomever)\b/i, "name the role"],
  [/\b(nobody|somebody|everybody|anybody)('s)?\b/i, "name the role, or use the passive"],
  [/\bwhat (came|comes|becomes|became|has come) of\b/i, "the outcome of"],
  [/\bwhat [\w' ]{1,40} (came|comes|has come) to\b/i, "the result of"],
  [/\b(is|are|was|were|be|been|being) told\b/i, "is notified; receives; reports"],
  [/\b(there|where|which|that|it|text|they) (is|are) none\b/i, "null, absent, not a"],
  [/\bhears? (of|from)\b|\bis heard\b|\bheard by\b/i, "is subscribed to; receives"],
  [/\bdraws? (a|its|one|the|on|from|tokens?)\b|\b(is|was|were) drawn\b/i, "takes a token"],
  [/\bgives? (it|them|a token|a send|the token) back\b/i, "refunds; releases"],
  [/\bpatience\b/i, "timeout"],
  [/\bstumbles? over\b/i, "throws on"],
  [/\bis nobody's\b/i, "has no owner"],
  [/\b(manners?|surfaces?|surfaceOf\w+)\b/, "policy, ApiModule, interface"]
]

/** Names and phrases that stay: file, match, reason. */
const exceptions = [
  ["packages/testkit/src/conformance/command.ts", /^"?patience"?$/, "former name of the flag --timeout"],
  ["packages/core/src/flows/fetches/poll.ts", /^told$/, "field of the persisted job payload"],
  ["packages/sql/src/Tokens.ts", /^asked$/, "SQL column"],
  ["docs/reference/libraries.md", /^"nobody"$/, "user of the operating system"]
]

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => !/\/generated\/|^docs\/api\/|CHANGELOG|^\.changeset\//.test(file))
const sources = files.filter(
  (file) => /\.(ts|tsx|mts|mjs|cjs)$/.test(file) && !file.endsWith(".ci/names.mjs") && !file.endsWith(".d.ts")
)
const documents = files.filter((file) => /^(docs\/.*|[^/]*)\.md$/.test(file) && file !== "docs/contributing.md")
const only = process.argv.includes("--names") ? "names" : process.argv.includes("--phrases") ? "phrases" : "all"

const found = []
const used = new Set()
const report = (file, line, text, term) => {
  const exception = exceptions.find(([where, pattern]) => where === file && pattern.test(text))
  if (exception === undefined) found.push({ file, line, text, term })
  else used.add(exception)
}

const phraseIn = (file, text, lineOf) => {
  if (only === "names") return
  // A phrase may stand on two lines of a comment: the break with the mark before the next line is one blank.
  const offsets = []
  let flat = ""
  for (const { 0: part, index } of text.matchAll(/\n\s*(?:\*|\/\/)?[ \t]*|[\s\S]/g)) {
    offsets.push(index)
    flat += part.length > 1 || part === "\n" ? " " : part
  }
  for (const [pattern, term] of phrases) {
    for (const { 0: phrase, index } of flat.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      report(file, lineOf(offsets[index] ?? 0), `"${phrase}"`, term)
    }
  }
}

const maxLine = 120

/** Checks the links of a comment, and the length of its lines. The formatter wraps code. */
const commentIn = (file, lines, source, { pos, end }, identifiers) => {
  const [first, last] = [pos, end].map((position) => source.getLineAndCharacterOfPosition(position).line)
  for (const [index, line] of lines.slice(first, last + 1).entries()) {
    if (line.length > maxLine && !line.includes("://"))
      report(file, first + index + 1, `${line.length} characters`, `lines of comments of at most ${maxLine} characters`)
    for (const { 0: link, 1: name } of line.matchAll(/\{@link (\w+)/g))
      if (!identifiers.has(name))
        report(file, first + index + 1, `${link}}`, "`name` or `File.ts`: the file has no such name")
  }
}

const isDeclared = (node) => {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent) || ts.isImportSpecifier(parent)) return false
  if (ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent) || ts.isImportClause(parent))
    return false
  return parent.name === node
}

for (const file of sources) {
  const text = readFileSync(file, "utf8")
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1
  const lines = text.split("\n")
  const comments = new Set()
  const identifiers = new Set()
  const visit = (node) => {
    if (ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node.parent)) identifiers.add(node.text)
    if (only !== "phrases" && ts.isIdentifier(node) && isDeclared(node)) {
      for (const [pattern, term, allowed] of names) {
        if (pattern.test(node.text) && !allowed?.test(node.text)) report(file, lineAt(node.getStart()), node.text, term)
      }
    }
    if (
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      if (node.text.trim().includes(" ")) phraseIn(file, node.text, () => lineAt(node.getStart()))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  if (only !== "names") {
    const scan = (node) => {
      for (const range of [
        ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
        ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? [])
      ]) {
        if (comments.has(range.pos)) continue
        comments.add(range.pos)
        if (only === "all") commentIn(file, lines, source, range, identifiers)
        phraseIn(file, text.slice(range.pos, range.end), (offset) => lineAt(range.pos + offset))
      }
      for (const child of node.getChildren(source)) if (child.kind !== ts.SyntaxKind.JSDoc) scan(child)
    }
    scan(source)
  }
}

for (const file of documents) {
  let fenced = false
  for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
    if (line.startsWith("```")) fenced = !fenced
    if (!fenced) phraseIn(file, line, () => index + 1)
  }
}

if (only === "all") {
  const termOf = (row) => row.split("|")[1].replaceAll("`", "").trim()
  const glossary = readFileSync("docs/glossary.md", "utf8").split("\n")
  for (const [index, row] of glossary.entries()) {
    const previous = glossary[index - 1] ?? ""
    if (!row.startsWith("| ") || !previous.startsWith("| ") || previous.startsWith("| term |")) continue
    if (termOf(previous).localeCompare(termOf(row), "en") > 0)
      found.push({ file: "docs/glossary.md", line: index + 1, text: termOf(row), term: "rows in alphabetical order" })
  }
  for (const exception of exceptions)
    if (!used.has(exception))
      found.push({ file: ".ci/names.mjs", line: 1, text: `${exception[0]} ${exception[1]}`, term: "unused exception" })
}

for (const { file, line, text, term } of found) console.log(`${file}:${line} ${text} → ${term}`)
if (found.length > 0) {
  console.log(`\n${found.length} findings. Terms to use instead of retired ones:`)
  for (const [pattern, term] of [...names, ...phrases])
    if (found.some((one) => one.term === term)) console.log(`  ${pattern} → ${term}`)
  process.exitCode = 1
}
