import type { Problems } from "@parley/core"

/** The parameters of a query string that an operation knows, and those among them that were given more than once. */
export const queryOf = (
  names: ReadonlyArray<string>,
  search: string
): { readonly query: { readonly [name: string]: string }; readonly problems: Problems } => {
  const query: { [name: string]: string } = {}
  const problems: { [name: string]: ReadonlyArray<string> } = {}
  if (names.length > 0 && search !== "") {
    const parameters = new URLSearchParams(search)
    for (const name of names) {
      const [value, ...more] = parameters.getAll(name)
      if (value !== undefined) query[name] = value
      if (more.length > 0) problems[name] = ["must be given once"]
    }
  }
  return { query, problems }
}
