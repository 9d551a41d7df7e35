import { type Draft, draft, joinProblems } from "@parley/core"
import { type Schema, SchemaAST } from "effect"

/** Reads the query strings of an operation: unknown parameters are ignored, known ones must not be given twice. */
export const queryReader = (fields: Schema.Struct<Schema.Struct.Fields>): ((search: string) => Draft<unknown>) => {
  const read = draft(fields)
  const names = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(fields.ast)).map(({ name }) => String(name))
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
