import { joinProblems, type PartialDecode, type Problems, partialDecode } from "@parley/core"
import { type Schema, SchemaAST } from "effect"

/** Parser for the query strings of an operation: ignores unknown parameters; known ones must not repeat. */
export const queryReader = (
  fields: Schema.Struct<Schema.Struct.Fields>
): ((search: string) => PartialDecode<unknown>) => {
  const read = partialDecode(fields)
  const names = parameterNames(fields)
  return (search) => {
    const parameters = new URLSearchParams(search)
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

/** The parameters of a query schema, as they are named on the wire. */
export const parameterNames = (fields: Schema.Struct<Schema.Struct.Fields>): ReadonlyArray<string> =>
  SchemaAST.getPropertySignatures(SchemaAST.encodedAST(fields.ast)).map(({ name }) => String(name))

/** Maximum number of unknown parameters that a response names, and maximum length of their names. */
const maxNamed = 20
const maxNameLength = 100

/** A problem for each unknown parameter of a query string (docs/reference/requests.md#unknown-fields). */
export const unknownParameters =
  (known: ReadonlyArray<string>) =>
  (search: string): Problems => {
    const message =
      known.length === 0
        ? "is not a parameter: this call has no query parameters"
        : `is not a parameter; the parameters are ${known.join(", ")}`
    const unknown = [...new Set(new URLSearchParams(search).keys())].filter((name) => !known.includes(name))
    return Object.fromEntries(unknown.slice(0, maxNamed).map((name) => [name.slice(0, maxNameLength), [message]]))
  }
