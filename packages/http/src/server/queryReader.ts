import { joinProblems, type PartialDecode, partialDecode } from "@parley/core"
import { type Schema, SchemaAST } from "effect"

/** Parser for the query strings of an operation: ignores unknown parameters; known ones must not repeat. */
export const queryReader = (
  fields: Schema.Struct<Schema.Struct.Fields>
): ((search: string) => PartialDecode<unknown>) => {
  const read = partialDecode(fields)
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
