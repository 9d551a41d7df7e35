import type { CursorPage, NumberedPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Call } from "../transport/Call.js"

/** A path's one segment. Ids that a URL would take for a step up, or for nothing, cannot name anything. */
export const segment = (id: string): string => {
  if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError("the id must be a UUID")
  return encodeURIComponent(id)
}

/** Every row of a list, page after page, as they are asked for. */
export async function* eachRow<Row>(
  call: Call,
  path: string,
  query: object,
  options: RequestOptions
): AsyncGenerator<Row, void, undefined> {
  for (let asked: object | null = query; asked !== null; ) {
    const page: NumberedPage<Row> | CursorPage<Row> = await call.get(path, asked, options)
    yield* page.data
    asked = page.links.next === null ? null : queryOf(page.links.next)
  }
}

/** Of a link only the query is taken: the credential goes nowhere but to the base URL. */
const queryOf = (link: string): object => Object.fromEntries(new URL(link, "http://localhost").searchParams)
