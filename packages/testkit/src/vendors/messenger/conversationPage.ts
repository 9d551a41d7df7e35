import type { VendorAnswer, VendorRequest } from "../VendorServer.js"
import { badParameter, ok } from "../whatsapp/graphAnswers.js"

type Fields = { readonly [field: string]: unknown }

/** A conversation of an account, as Meta lists it. */
export interface MessengerConversation {
  readonly id: string
  /** Newest first. */
  readonly messages: ReadonlyArray<Fields>
}

/** The fields of a message, and those of its lists; null for a field without any. */
const known: { readonly [field: string]: ReadonlyArray<string> | null } = {
  id: null,
  created_time: null,
  from: null,
  to: null,
  message: null,
  sticker: null,
  attachments: ["id", "mime_type", "name", "size", "image_data", "video_data", "file_url"],
  shares: ["id", "link", "name", "description", "template"]
}

/** Number of messages of a conversation whose details Meta gives. */
const maxDetailed = 20
/** Conversations of a page; small, so that tests have several pages. */
const largestPage = 2

/** Meta's response to `GET /{Page id}/conversations`, with the messages of each. */
export const conversationPage = (
  conversations: { readonly [platform: string]: ReadonlyArray<MessengerConversation> },
  { path, query }: VendorRequest
): VendorAnswer => {
  const all = conversations[query.get("platform") ?? "messenger"]
  const [, limit = "", fields = ""] = /^messages\.limit\((\d+)\)\{(.+)\}$/.exec(query.get("fields") ?? "") ?? []
  if (all === undefined) return badParameter("platform")
  const wanted = fieldsOf(fields)
  const missing = [...wanted.keys()].find((field) => !(field in known)) ?? missingBelow(wanted)
  if (missing !== undefined || limit === "") {
    return badParameter(`Tried accessing nonexisting field (${missing ?? "messages"})`)
  }
  if (Number(limit) > maxDetailed) return badParameter("a message was deleted")
  const from = Number(query.get("after") ?? 0)
  const to = from + Math.min(largestPage, Number(query.get("limit") ?? 25))
  const data = all.slice(from, to).map(({ id, messages }) => ({
    id,
    messages: { data: messages.slice(0, Number(limit)).map((message) => only(message, wanted)) }
  }))
  const next = to < all.length ? { next: `https://graph.facebook.com${path}?access_token=secret&after=${to}` } : {}
  return ok({ data, paging: { cursors: { before: String(from), after: String(to) }, ...next } })
}

/** The fields of `a,b{c,d}`, with those of each list. */
const fieldsOf = (text: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    [...text.matchAll(/(\w+)(?:\{([^}]*)\})?/g)].map(([, name = "", below]) => [name, below?.split(",") ?? []] as const)
  )

const missingBelow = (wanted: ReadonlyMap<string, ReadonlyArray<string>>): string | undefined =>
  [...wanted].flatMap(([field, below]) => below.filter((one) => known[field]?.includes(one) !== true)).at(0)

const only = (message: Fields, wanted: ReadonlyMap<string, ReadonlyArray<string>>): Fields =>
  Object.fromEntries(Object.entries(message).filter(([field]) => wanted.has(field)))
