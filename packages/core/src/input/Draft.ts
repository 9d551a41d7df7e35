import { Either, ParseResult, Schema, type SchemaAST } from "effect"
import type { Problems } from "../errors/Refusal.js"
import { wordsOf } from "./Fields.js"

/**
 * An input as far as it could be read: the fields that are well-formed, and the problems of those that are not. Rules that
 * need data look at the former, so that all problems of a request are told at once (decisions.md §2, step 8).
 */
export interface Draft<A> {
  readonly value: Partial<A>
  readonly problems: Problems
}

/** Reads an input in wire shape. Unknown fields are ignored. */
export const draft = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) => {
  const whole = decoder(schema)
  const fields = Object.entries(schema.fields).map(([name, field]) => {
    const nested = nestedStruct(field)
    return { name, nested: nested === undefined ? undefined : draft(nested), decode: decoder(Schema.Struct({ [name]: field })) }
  })
  return (input: { readonly [key: string]: unknown }): Draft<Schema.Struct.Type<F>> => {
    const all = whole(input)
    if (Either.isRight(all)) return { value: all.right as Partial<Schema.Struct.Type<F>>, problems: {} }
    const value: { [name: string]: unknown } = {}
    for (const { name, nested, decode } of fields) {
      const one = decode(input)
      const inner = input[name]
      if (Either.isRight(one)) Object.assign(value, one.right)
      else if (nested !== undefined && isObject(inner)) value[name] = nested(inner).value
    }
    return { value: value as Partial<Schema.Struct.Type<F>>, problems: problemsOf(all.left) }
  }
}

/** Problems of both. */
export const joinProblems = (one: Problems, other: Problems): Problems => {
  const joined: { [field: string]: ReadonlyArray<string> } = { ...one }
  for (const [field, words] of Object.entries(other)) joined[field] = [...new Set([...(joined[field] ?? []), ...words])]
  return joined
}

/** Every field problem of a failed decoding, keyed by wire path (`message.template`, `tags.3`). */
export const problemsOf = (issue: ParseResult.ParseIssue): Problems => {
  const found: { [field: string]: Array<string> } = {}
  const note = (path: ReadonlyArray<PropertyKey>, words: string) => {
    const field = path.length === 0 ? "body" : path.map(String).join(".")
    const list = (found[field] ??= [])
    if (!list.includes(words)) list.push(words)
  }
  const walk = (issue: ParseResult.ParseIssue, path: ReadonlyArray<PropertyKey>, words: string | undefined): void => {
    switch (issue._tag) {
      case "Pointer":
        return walk(issue.issue, path.concat(issue.path as PropertyKey | ReadonlyArray<PropertyKey>), undefined)
      case "Missing":
        return note(path, "is required")
      case "Unexpected":
        return
      case "Forbidden":
        return note(path, "is not valid")
      case "Type":
        return note(path, issue.message ?? words ?? expectation(issue.ast))
      case "Refinement":
        if (issue.kind === "Predicate" && wordsOf(issue.ast) !== undefined) return note(path, wordsOf(issue.ast) as string)
        return walk(issue.issue, path, issue.kind === "Predicate" ? words : (wordsOf(issue.ast) ?? words))
      case "Transformation":
        return walk(issue.issue, path, wordsOf(issue.ast) ?? words)
      case "Composite": {
        const issues = Array.isArray(issue.issues) ? issue.issues : [issue.issues as ParseResult.ParseIssue]
        if (issue.ast._tag !== "Union") return issues.forEach((inner) => walk(inner, path, words))
        const known = wordsOf(issue.ast) ?? words
        if (known !== undefined) return note(path, known)
        // Of a choice with null or nothing, the other member is what the caller meant.
        const meant = issues.filter((inner) => !(inner._tag === "Type" && isAbsence(inner.ast)))
        return meant.length === 1 ? walk(meant[0] as ParseResult.ParseIssue, path, words) : note(path, expectation(issue.ast))
      }
    }
  }
  walk(issue, [], undefined)
  return found
}

const decoder = (schema: Schema.Schema.All) =>
  ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>, { errors: "all", onExcessProperty: "ignore" })

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isAbsence = (ast: SchemaAST.AST): boolean =>
  ast._tag === "UndefinedKeyword" || (ast._tag === "Literal" && ast.literal === null)

const nestedStruct = (field: unknown): Schema.Struct<Schema.Struct.Fields> | undefined =>
  Schema.isSchema(field) && "fields" in field ? (field as Schema.Struct<Schema.Struct.Fields>) : undefined

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
      return expectation(ast.from)
    case "Transformation":
      return expectation(ast.from)
    case "Union": {
      const literals = ast.types.flatMap((type) => (type._tag === "Literal" && type.literal !== null ? [type.literal] : []))
      const others = ast.types.filter((type) => type._tag !== "Literal")
      if (others.length === 0) return `must be one of ${literals.join(", ")}`
      return others.length === 1 ? expectation(others[0] as SchemaAST.AST) : "is not valid"
    }
    default:
      return "is not valid"
  }
}
