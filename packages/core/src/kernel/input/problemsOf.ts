import type { ParseResult, SchemaAST } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { messageOf } from "./Fields.js"

/**
 * Validation messages of a failed decoding, by wire path (`message.template`, `tags.3`). Uses the message annotated on
 * the schema, else one for the expected type. Never contains a given value.
 */
export const problemsOf = (issue: ParseResult.ParseIssue): Problems => {
  const found: { [field: string]: ReadonlyArray<string> } = {}
  for (const [path, message] of problemsAt(issue, [], undefined)) {
    const field = path.length === 0 ? "body" : path.map(String).join(".")
    found[field] = [...new Set([...(found[field] ?? []), message])]
  }
  return found
}

type Path = ReadonlyArray<PropertyKey>
type PathMessages = ReadonlyArray<readonly [path: Path, message: string]>

/** `message`: that of the nearest enclosing schema that has one. */
const problemsAt = (issue: ParseResult.ParseIssue, path: Path, message: string | undefined): PathMessages => {
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
      return [[path, issue.message ?? message ?? expectation(issue.ast)]]
    case "Refinement": {
      const own = messageOf(issue.ast)
      if (issue.kind === "Predicate" && own !== undefined) return [[path, own]]
      return problemsAt(issue.issue, path, issue.kind === "Predicate" ? message : (own ?? message))
    }
    case "Transformation":
      return problemsAt(issue.issue, path, messageOf(issue.ast) ?? message)
    case "Composite": {
      const issues: ReadonlyArray<ParseResult.ParseIssue> = Array.isArray(issue.issues)
        ? issue.issues
        : [issue.issues as ParseResult.ParseIssue]
      return issue.ast._tag === "Union"
        ? problemsOfChoice(issues, issue.ast, path, message)
        : issues.flatMap((inner) => problemsAt(inner, path, message))
    }
  }
}

const problemsOfChoice = (
  issues: ReadonlyArray<ParseResult.ParseIssue>,
  choice: SchemaAST.AST,
  path: Path,
  message: string | undefined
): PathMessages => {
  const own = messageOf(choice) ?? message
  if (own !== undefined) return [[path, own]]
  // In a union of one member with null or undefined, the problems of that member are reported.
  const [intended, ...others] = issues.filter((inner) => !(inner._tag === "Type" && isAbsence(inner.ast)))
  return intended !== undefined && others.length === 0
    ? problemsAt(intended, path, message)
    : [[path, expectation(choice)]]
}

const isAbsence = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && ast.literal === null)

/** Default validation message of a type. */
const expectation = (ast: SchemaAST.AST): string => {
  const message = messageOf(ast)
  if (message !== undefined) return message
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
