import { createHmac } from "node:crypto"
import { Effect, type Scope } from "effect"
import { conversationPage, type MessengerConversation } from "./messenger/conversationPage.js"
import type { MessengerPage } from "./messenger/MessengerPage.js"
import { type MessengerTaken, takeMessengerMessage } from "./messenger/takeMessengerMessage.js"
import { readSenderAction, type SenderAction } from "./signals.js"
import { type VendorAnswer, type VendorRequest, type VendorServer, vendorServer } from "./VendorServer.js"
import { badParameter, badToken, type GraphErrorAnswer, graphError, noSuchObject, ok } from "./whatsapp/graphAnswers.js"

export type { MessengerConversation } from "./messenger/conversationPage.js"
export * from "./messenger/MessengerPage.js"
export * from "./messenger/messengerWebhook.js"

/** A file that a customer sent. */
export interface MessengerFile {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A fake of Meta's Messenger Platform in this process, as strict as Meta's (docs/reference/messenger.md). */
export interface FakeMessenger extends VendorServer {
  /** Oldest first. */
  readonly taken: ReadonlyArray<MessengerTaken>
  /** Answers the next request with this error. */
  readonly refuseNext: (error: GraphErrorAnswer) => void
  /** By name. The file is at `/files/{name}`, for requests without a token. */
  readonly files: Map<string, MessengerFile>
  /** Requests with a `sender_action`, oldest first. */
  readonly actions: Array<SenderAction>
  /** By customer's id. */
  readonly profiles: Map<string, { readonly [field: string]: unknown }>
  /** Conversations by platform, newest first, with their messages, newest first. */
  readonly conversations: { readonly [platform in "messenger" | "instagram"]: Array<MessengerConversation> }
  /** The fields that the app is subscribed to, by Page. */
  readonly subscribed: Map<string, ReadonlyArray<string>>
  /** Whether Pages have an Instagram account. */
  linked: boolean
}

/** The webhook fields that the fake knows. */
const pageFields: ReadonlySet<unknown> = new Set([
  "feed",
  "messages",
  "messaging_postbacks",
  "messaging_referrals",
  "messaging_optins",
  "message_reactions",
  "message_edits",
  "message_deliveries",
  "message_reads",
  "message_echoes",
  "messaging_policy_enforcement"
])

/** Starts a fake with these Pages. */
export const fakeMessenger = (
  ...pages: ReadonlyArray<MessengerPage>
): Effect.Effect<FakeMessenger, never, Scope.Scope> =>
  Effect.gen(function* () {
    const taken: Array<MessengerTaken> = []
    const rest: Omit<FakeMessenger, keyof VendorServer | "refuseNext"> = {
      taken,
      files: new Map(),
      profiles: new Map(),
      actions: [],
      conversations: { messenger: [], instagram: [] },
      subscribed: new Map(),
      linked: true
    }

    const answer = (request: VendorRequest): VendorAnswer => {
      const file = /^\/files\/(.+)$/.exec(request.path)?.[1]
      if (file !== undefined) return download(request, rest.files.get(file))
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? ""
      const page = pages.find(({ accessToken }) => accessToken === token)
      if (page === undefined) return badToken(token)
      const [, id = "", edge] = /^\/v\d\d\.0\/(\w+)(?:\/(\w+))?$/.exec(request.path) ?? []
      if (request.method === "POST" && request.headers["content-type"] !== "application/json") {
        return badParameter("not JSON")
      }
      if (id !== page.pageId) return edge === undefined ? profile(request, id) : noSuchObject(id)
      switch (`${request.method} ${edge ?? ""}`) {
        case "POST messages": {
          const action = readSenderAction(request.body.toString())
          if (action !== null) {
            rest.actions.push(action)
            return ok({ recipient_id: action.recipient.id })
          }
          const said = takeMessengerMessage(request.body.toString(), `m_${id}-${taken.length}`)
          if (said.taken !== null) taken.push(said.taken)
          return said.answer
        }
        case "GET conversations":
          return conversationPage(rest.conversations, request)
        case "GET subscribed_apps": {
          const subscribed_fields = rest.subscribed.get(id)
          return ok({ data: subscribed_fields === undefined ? [] : [{ id: "1", name: "Parley", subscribed_fields }] })
        }
        case "POST subscribed_apps":
          return subscribe(id, request)
        case "GET ":
          return described(page, request)
        default:
          return noSuchObject(id)
      }
    }

    const described = ({ accessToken, appSecret, instagramId, ...page }: MessengerPage, request: VendorRequest) => {
      const proof = createHmac("sha256", appSecret).update(accessToken).digest("hex")
      const given = request.query.get("appsecret_proof")
      if (given !== null && given !== proof) {
        return graphError({ code: 100, message: "Invalid appsecret_proof provided in the API argument" })
      }
      const linked = { instagram_business_account: { id: instagramId, username: page.username } }
      switch (request.query.get("fields")) {
        case "name":
          return ok({ id: page.pageId, name: page.name })
        case "name,instagram_business_account{id,username}":
          return ok({ id: page.pageId, name: page.name, ...(rest.linked ? linked : {}) })
        default:
          return badParameter("Tried accessing nonexisting field")
      }
    }

    const profile = ({ method, query }: VendorRequest, id: string): VendorAnswer => {
      const known = rest.profiles.get(id)
      if (method !== "GET" || known === undefined) return noSuchObject(id)
      const fields = (query.get("fields") ?? "").split(",")
      const missing = fields.find((field) => !(field in known))
      if (missing !== undefined) return badParameter(`Tried accessing nonexisting field (${missing})`)
      return ok({ id, ...Object.fromEntries(fields.map((field) => [field, known[field]])) })
    }

    const subscribe = (id: string, { body }: VendorRequest): VendorAnswer => {
      const { subscribed_fields: fields, ...more } = JSON.parse(body.toString())
      const isRight = Array.isArray(fields) && fields.length > 0 && fields.every((field) => pageFields.has(field))
      if (!isRight || Object.keys(more).length > 0) return badParameter("subscribed_fields must be a list of fields")
      rest.subscribed.set(id, fields)
      return ok({ success: true })
    }

    const server = yield* vendorServer(answer)
    return Object.assign(rest, server, {
      refuseNext: (error: GraphErrorAnswer) => server.answerNext(graphError(error))
    })
  })

/** Files are public by URL; a request with a token is refused. */
const download = ({ headers, method }: VendorRequest, file: MessengerFile | undefined): VendorAnswer => {
  if (method !== "GET" || headers.authorization !== undefined) return { status: 400, body: "" }
  return file === undefined
    ? { status: 404, body: "" }
    : { status: 200, headers: { "content-type": file.contentType }, body: file.bytes }
}
