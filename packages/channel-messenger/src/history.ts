import { HistoryAnswer, InboundEvent, type Instant, type PastMessage, type ProviderUnavailable } from "@parley/core"
import { type GraphApi, graphPage } from "@parley/meta-graph"
import { type Fields, fieldsOf, idOf, listOf, textOf, unavailable } from "@parley/provider-kit"
import { Effect } from "effect"
import { meaningOf } from "./Meaning.js"
import { type MessengerAccount, metaIdOf } from "./MessengerAccount.js"
import { problemOf } from "./problemOf.js"

/** Conversations of a page. With their messages they are at most 200 kB, which Meta answers in a few seconds. */
const pageSize = 10

/** Meta gives the details of this many messages of a conversation, the latest. */
const maxMessages = 20

const messageFields =
  "id,created_time,from,to,message,sticker,attachments{mime_type,name,image_data,video_data,file_url},shares{link,name}"

/**
 * Reads a page of the account's conversations: `GET /{Page id}/conversations` (docs/reference/messenger.md#history).
 */
export const history = (
  graph: GraphApi,
  account: MessengerAccount,
  cursor: string | null
): Effect.Effect<HistoryAnswer, ProviderUnavailable> => {
  const { channel, config, credentials } = account
  const query = {
    platform: channel === "instagram" ? "instagram" : "messenger",
    fields: `messages.limit(${maxMessages}){${messageFields}}`,
    limit: String(pageSize),
    ...(cursor === null ? {} : { after: cursor })
  }
  return graph.call(credentials.page_access_token, { path: `/${config.page_id}/conversations`, query }).pipe(
    Effect.flatMap(graphPage),
    Effect.map(({ after, data }) =>
      HistoryAnswer.Page({
        conversations: data.flatMap((conversation) => conversationOf(account, fieldsOf(conversation))),
        cursor: after
      })
    ),
    Effect.catchIf(
      (failure) => failure._tag !== "ProviderUnavailable",
      (failure) =>
        failure._tag === "Refused" &&
        failure.error !== null &&
        meaningOf(failure.error, failure.status).kind === "rejected"
          ? Effect.succeed(HistoryAnswer.Refused({ problem: problemOf(failure) }))
          : unavailable(failure.reason)
    )
  )
}

type Conversation = InboundEvent & { readonly _tag: "History" }

/** The conversation with one customer. Meta lists messages newest first. */
const conversationOf = (account: MessengerAccount, { messages }: Fields): ReadonlyArray<Conversation> => {
  const own = metaIdOf(account)
  const all = listOf(fieldsOf(messages).data).flatMap((message) => pastMessage(fieldsOf(message), own))
  const handle = all.at(0)?.handle
  if (handle === undefined) return []
  return [
    // The service window counts from the customer's last message, wherever the business read it.
    InboundEvent.History({
      handle,
      displayName: all.find(({ name }) => name !== null)?.name ?? null,
      opensWindow: true,
      messages: all.flatMap((one) => (one.handle === handle ? [one.past] : [])).reverse()
    }) as Conversation
  ]
}

interface Read {
  readonly handle: string
  readonly name: string | null
  readonly past: PastMessage
}

/** A message, with the customer's id and name. None if Meta does not say who wrote it to whom, and when. */
const pastMessage = (message: Fields, own: string | null): ReadonlyArray<Read> => {
  const id = textOf(message.id)
  const at = instantOf(message.created_time)
  const from = fieldsOf(message.from)
  const [to] = listOf(fieldsOf(message.to).data)
  const isOutbound = idOf(from.id) === own
  const customer = isOutbound ? fieldsOf(to) : from
  const handle = idOf(customer.id)
  if (id === null || at === null || handle === null || handle === own) return []
  const direction = isOutbound ? "outbound" : "inbound"
  const name = textOf(customer.name) ?? textOf(customer.username)
  return [{ handle, name, past: { providerMessageId: id, direction, at, ...contentOf(message) } }]
}

/** Such as `2022-07-12T19:11:07+0000`. */
const instantOf = (time: unknown): Instant | null => {
  const at = Date.parse(String(time).replace(/([+-]\d\d)(\d\d)$/, "$1:$2"))
  return Number.isNaN(at) ? null : at
}

/** The text, followed by links that it does not contain, each on a line, and the files. */
const contentOf = (message: Fields): Pick<PastMessage, "body" | "content" | "attachments"> => {
  const text = textOf(message.message) ?? ""
  const links = listOf(fieldsOf(message.shares).data).flatMap((share) => textOf(fieldsOf(share).link) ?? [])
  const sticker = textOf(message.sticker)
  const attachments = [
    ...listOf(fieldsOf(message.attachments).data).flatMap((one) => fileOf(fieldsOf(one))),
    ...(sticker === null ? [] : [file("sticker", sticker, null, null)])
  ]
  const body = [text, ...links.filter((link) => !text.includes(link))].filter((line) => line !== "").join("\n")
  const isEmpty = body === "" && attachments.length === 0
  return {
    body: isEmpty ? "Unsupported content: message" : body,
    content: isEmpty ? { type: "unsupported", kind: "message" } : null,
    attachments
  }
}

type File = PastMessage["attachments"][number]

const file = (type: File["type"], reference: string, contentType: string | null, fileName: string | null): File => ({
  type,
  contentType,
  fileName,
  content: { reference }
})

/** Files have the URL of their kind. */
const fileOf = ({ file_url, image_data, mime_type, name, video_data }: Fields): ReadonlyArray<File> => {
  const [image, video, other] = [textOf(fieldsOf(image_data).url), textOf(fieldsOf(video_data).url), textOf(file_url)]
  const contentType = textOf(mime_type)
  const url = image ?? video ?? other
  if (url === null) return []
  const type = image !== null ? "image" : video !== null ? "video" : typeOf(contentType)
  return [file(type, url, contentType, type === "document" ? textOf(name) : null)]
}

const typeOf = (contentType: string | null): "audio" | "document" =>
  contentType?.startsWith("audio/") === true ? "audio" : "document"
