import type { ParseResult, SchemaAST } from "effect"
import type { Problems } from "../errors/Refusal.js"
import { wordsOf } from "./Fields.js"

/**
 * Every field problem of a failed decoding in our own words, keyed by wire path (`message.template`, `tags.3`). A schema
 * that was given words by `worded` speaks for itself; of all others the type is named. No value is ever echoed.
 */
export const problemsOf = (issue: ParseResult.ParseIssue): Problems => {
  const found: { [field: string]: ReadonlyArray<string> } = {}
  for (const [path, words] of problemsAt(issue, [], undefined)) {
    const field = path.length === 0 ? "body" : path.map(String).join(".")
    found[field] = [...new Set([...(found[field] ?? []), words])]
  }
  return found
}

type Path = ReadonlyArray<PropertyKey>
type Found = ReadonlyArray<readonly [path: Path, words: string]>

/** `words`: of the nearest schema around the issue that has some. */
const problemsAt = (issue: ParseResult.ParseIssue, path: Path, words: string | undefined): Found => {
  switch (issue._tag) {
    case "Pointer":
      return problemsAt(issue.issue, path.concat(issue.path as PropertyKey | Path), undefined)
    case "Missing":
      return [[path, "is required"]]
    case "Unexpected":
      return []
    case "Forbidden":
      return [[path, "is not valid"]]
    case "Type":
      return [[path, issue.message ?? words ?? expectation(issue.ast)]]
    case "Refinement": {
      const own = wordsOf(issue.ast)
      if (issue.kind === "Predicate" && own !== undefined) return [[path, own]]
      return problemsAt(issue.issue, path, issue.kind === "Predicate" ? words : (own ?? words))
    }
    case "Transformation":
      return problemsAt(issue.issue, path, wordsOf(issue.ast) ?? words)
    case "Composite": {
      const issues: ReadonlyArray<ParseResult.ParseIssue> = Array.isArray(issue.issues)
        ? issue.issues
        : [issue.issues as ParseResult.ParseIssue]
      return issue.ast._tag === "Union"
        ? problemsOfChoice(issues, issue.ast, path, words)
        : issues.flatMap((inner) => problemsAt(inner, path, words))
    }
  }
}

const problemsOfChoice = (
  issues: ReadonlyArray<ParseResult.ParseIssue>,
  choice: SchemaAST.AST,
  path: Path,
  words: string | undefined
): Found => {
  const own = wordsOf(choice) ?? words
  if (own !== undefined) return [[path, own]]
  // Of a choice with null or nothing, the other member is what the caller meant.
  const [meant, ...others] = issues.filter((inner) => !(inner._tag === "Type" && isAbsence(inner.ast)))
  return meant !== undefined && others.length === 0 ? problemsAt(meant, path, words) : [[path, expectation(choice)]]
}

const isAbsence = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** What a type wants, in plain words. */
const expectation = (ast: SchemaAST.AST): string => {
  const words = wordsOf(ast)
  if (words !== undefined) return words
  switch (ast._tag) {
    case "StringKeyword":
      return "must be a string"
    case "NumberKeyword":
      return "must be a number"
    case "BooleanKeyword":
      return "must be true or false"
    case "TupleType":
      return "must be a list"
    case "TypeLiteral":
      return "must be an object"
    case "Literal":
      return `must be ${String(ast.literal)}`
    case "Refinement":
    case "Transformation":
      return expectation(ast.from)
    case "Union": {
      const present = ast.types.filter((type) => !isAbsence(type))
      if (present.length === 1) return expectation(present[0] as SchemaAST.AST)
      const literals = present.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
      return literals.length === present.length ? `must be one of ${literals.join(", ")}` : "is not valid"
    }
    default:
      return "is not valid"
  }
}
