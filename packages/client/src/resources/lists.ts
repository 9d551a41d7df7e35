import type { CursorPage, NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Call } from "../transport/Call.js"

/** Encodes an id as one path segment. Rejects ids that a URL would resolve away: `.`, `..` and empty. */
export const segment = (id: string): string => {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError("the id must be a UUID")
  return encodeURIComponent(id)
}

/** Every row of a list; fetches pages on demand. */
export async function* eachRow<Row>(
  call: Call,
  path: string,
  query: object,
  options: RequestOptions
): AsyncGenerator<Row, void, undefined> {
  for (let nextQuery: object | null = query; nextQuery !== null; ) {
    const page: NumberedPage<Row> | CursorPage<Row> = await call.get(path, nextQuery, options)
    yield* page.data
    nextQuery = page.links.next === null ? null : queryOf(page.links.next)
  }
}

/** Uses only the query of a link: the credential is sent to the base URL only. */
const queryOf = (link: string): object => Object.fromEntries(new URL(link, "http://localhost").searchParams)
