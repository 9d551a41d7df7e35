import { joinProblems, type PartialDecode, type Problems, partialDecode } from "@parley/core"
import { type Schema, SchemaAST } from "effect"

/** Parser for the query strings of an operation: ignores unknown parameters; known ones must not repeat. */
export const queryReader = (
  fields: Schema.Struct<Schema.Struct.Fields>
): ((search: string) => PartialDecode<unknown>) => {
  const read = partialDecode(fields)
  const names = parameterNames(fields)
  return (search) => {
    const parameters = parametersOf(search)
    const given: { [name: string]: string } = {}
    const repeated: { [name: string]: ReadonlyArray<string> } = {}
    for (const name of names) {
      const [value, ...more] = parameters.getAll(name)
      if (value !== undefined) given[name] = value
      if (more.length > 0) repeated[name] = ["must be given once"]
    }
    const { value, problems } = read(given)
    return { value, problems: joinProblems(problems, repeated) }
  }
}

/** Parses as `URL` does: without its own `?`, a question mark at the start would be dropped. */
const parametersOf = (search: string) => new URLSearchParams(`?${search}`)

/** The parameters of a query schema, as they are named on the wire. */
export const parameterNames = (fields: Schema.Struct<Schema.Struct.Fields>): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(SchemaAST.encodedAST(fields.ast)).map(({ name }) => String(name))

/** Maximum number of unknown parameters that a response names, and maximum length of their names in code points. */
const maxNamed = 20
const maxNameLength = 80

/** A problem for each unknown parameter of a query string (docs/reference/requests.md#unknown-fields). */
export const unknownParameters =
  (known: ReadonlyArray<string>) =>
  (search: string): Problems => {
    const message =
      known.length === 0
        ? "is not a parameter: this call has no query parameters"
        : `is not a parameter; the parameters are ${known.join(", ")}`
    const unknown = [...new Set(parametersOf(search).keys())].filter((name) => !known.includes(name))
    return Object.fromEntries(
      unknown.slice(0, maxNamed).map((name) => [Array.from(name).slice(0, maxNameLength).join(""), [message]])
    )
  }
