import {
  Access,
  AccessTokens,
  type Answer,
  type Application,
  anonymousLimit,
  BusinessEvents,
  type Caller,
  Channels,
  ChoiceLinks,
  type CommitError,
  type Contact,
  Contacts,
  Conversations,
  Files,
  Ids,
  type IssuedToken,
  Leads,
  type Message,
  Messages,
  noteRequest,
  ProviderHooks,
  RateBuckets,
  type RateToken,
  type ReadError,
  type Refusal,
  type RefusedToken,
  RequestLog,
  refuse,
  StorageUnavailable,
  scopes,
  Templates,
  tokenRequestLimit,
  Unsubscribes,
  Uploads,
  unlinked
} from "@parley/core"
import { Context, Effect } from "effect"
import type { PublicServices } from "../src/index.js"

export const contactId = "0190a1b2-0000-7000-8000-0000000000c1"
export const messageId = "0190a1b2-0000-7000-8000-0000000000e1"
const at = Date.parse("2026-05-04T08:30:00.000Z")

export const contact: Contact = {
  id: contactId,
  workspaceId: "workspace",
  firstName: "Ada",
  lastName: "Lovelace",
  company: null,
  jobTitle: null,
  email: "ada@example.com",
  phone: null,
  country: null,
  city: null,
  language: null,
  timezone: null,
  lifecycleStage: "lead",
  optedOut: false,
  marketingOptedOut: false,
  optedOutAt: null,
  marketingOptedOutAt: null,
  identities: [{ channel: "email", handle: "ada@example.com", displayName: null }],
  tags: ["vip"],
  customFields: {},
  visitorName: null,
  nameKey: "ada lovelace",
  searchKey: "",
  lastActivityAt: at,
  createdAt: at,
  version: 1
}

export const message: Message = {
  id: messageId,
  workspaceId: "workspace",
  applicationId: "application",
  agentId: null,
  workflowRunId: null,
  botSessionId: null,
  externalReference: null,
  conversationId: "conversation",
  contactId,
  connectionId: "connection",
  direction: "outbound",
  type: "text",
  status: "sent",
  body: "Hello",
  subject: null,
  html: null,
  templateName: null,
  templateLanguage: null,
  variables: [],
  attachments: [],
  content: null,
  envelope: null,
  error: null,
  providerMessageId: null,
  createdAt: at,
  sentAt: at,
  deliveredAt: null,
  readAt: null,
  receivedAt: null,
  version: 1
}

const application = (parts: Partial<Application> = {}): Application => ({
  id: "application",
  workspaceId: "workspace",
  name: "Shop",
  mode: "test",
  scopes,
  connectionIds: [],
  requestsPerMinute: 1_000,
  sendsPerMinute: 100,
  status: "active",
  createdAt: at,
  version: 1,
  ...parts
})

export const caller = (parts: Partial<Application> = {}): Caller => {
  const its = application(parts)
  const workspace = {
    id: "workspace",
    name: "Shop",
    defaultLanguage: null,
    timezone: "UTC",
    status: "active",
    createdAt: at,
    version: 1
  } as const
  return { application: its, workspace, scopes: its.scopes, credentialId: "credential" }
}

/** Fakes for core's services. Tests override what they need. */
export interface Fakes {
  /** Caller of each token, or the refusal that authentication fails with. */
  readonly callers: { readonly [token: string]: Caller | Refusal | ReadError }
  /** Rate tokens of an address without a valid credential. */
  readonly anonymousLimit: number
  readonly storageIsDown: boolean
  readonly createContact: (...given: Parameters<Contacts["create"]>) => Effect.Effect<Answer, Refusal | CommitError>
  readonly getContact: (...given: Parameters<Contacts["get"]>) => Effect.Effect<Contact, Refusal | ReadError>
  readonly sendMessage: (...given: Parameters<Messages["send"]>) => Effect.Effect<Answer, Refusal | CommitError>
  readonly exchangeToken: (
    ...given: Parameters<AccessTokens["exchange"]>
  ) => Effect.Effect<IssuedToken, Refusal | CommitError>
  readonly recordEvent: (...given: Parameters<BusinessEvents["record"]>) => Effect.Effect<Answer, Refusal | CommitError>
  readonly getMessage: (...given: Parameters<Messages["get"]>) => Effect.Effect<Message, Refusal | ReadError>
  readonly hookAt: ProviderHooks["at"]
  readonly openFile: Files["open"]
  readonly unsubscribes: Unsubscribes
  readonly choiceLinks: ChoiceLinks
}

export const token = "parley_test_0123456789abcdefghijklmnopqrstuv"

const unexpected = (what: string) => () => Effect.die(new Error(`Unexpected call of ${what}.`))

const defaults: Fakes = {
  callers: { [token]: caller() },
  anonymousLimit,
  storageIsDown: false,
  createContact: unexpected("Contacts.create"),
  getContact: unexpected("Contacts.get"),
  sendMessage: unexpected("Messages.send"),
  recordEvent: unexpected("BusinessEvents.record"),
  exchangeToken: unexpected("AccessTokens.exchange"),
  getMessage: unexpected("Messages.get"),
  hookAt: () => Effect.fail(refuse("not_found")),
  openFile: unexpected("Files.open"),
  unsubscribes: { isSigned: () => false, unsubscribe: unexpected("Unsubscribes.unsubscribe") },
  choiceLinks: { question: () => Effect.succeed(null), choose: unexpected("ChoiceLinks.choose") }
}

export type Services = PublicServices | Ids

/** Core's services over {@link Fakes}, with rate buckets that count. `takenFrom` lists the tokens taken by bucket. */
export const fakes = (
  parts: Partial<Fakes> = {}
): { readonly services: Context.Context<Services>; readonly takenFrom: Map<string, number> } => {
  const {
    callers,
    storageIsDown,
    createContact,
    getContact,
    sendMessage,
    recordEvent,
    getMessage,
    exchangeToken,
    hookAt,
    openFile,
    unsubscribes,
    choiceLinks,
    ...rest
  } = {
    ...defaults,
    ...parts
  }
  const takenFrom = new Map<string, number>()
  const refusedBy = new Map<string, RefusedToken>()
  const down = new StorageUnavailable({ cause: new Error("connection refused by db-1.internal") })

  const tokenRequest = (bucket: string, limit: number) =>
    Effect.suspend((): Effect.Effect<RateToken, Refusal | ReadError> => {
      if (storageIsDown) return Effect.fail(down)
      const before = takenFrom.get(bucket) ?? 0
      const granted = before < limit
      if (granted) takenFrom.set(bucket, before + 1)
      const result: RateToken = {
        granted,
        limit,
        remaining: granted ? limit - before - 1 : 0,
        openedAt: at,
        resetAt: Math.floor(Date.now() / 1_000) * 1_000 + 60_000
      }
      const refusal = refuse("rate_limited")
      if (!granted) refusedBy.set(bucket, { token: result, refusal })
      return Effect.zipRight(
        noteRequest((request) => {
          request.rateTokens = [...request.rateTokens, result]
        }),
        granted ? Effect.succeed(result) : Effect.fail(refusal)
      )
    })

  let made = 0
  const services = Context.empty().pipe(
    Context.add(Ids, {
      next: () => `0190a1b2-0000-7000-8000-${String(++made).padStart(12, "0")}`,
      secret: (length) => "x".repeat(length)
    }),
    Context.add(Access, {
      authenticate: unexpected("Access.authenticate"),
      admitInProcess: unexpected("Access.admitInProcess"),
      admit: (token) => {
        if (storageIsDown) return Effect.fail(down)
        const found = token === null ? undefined : callers[token]
        if (found === undefined) return Effect.fail(refuse("unauthenticated"))
        if (!("application" in found)) return Effect.fail(found)
        const { id, requestsPerMinute, workspaceId } = found.application
        const noted = noteRequest((request) => {
          request.requester = { applicationId: id, workspaceId }
        })
        return Effect.as(Effect.zipRight(noted, tokenRequest(`requests:${id}`, requestsPerMinute)), found)
      }
    }),
    Context.add(AccessTokens, { exchange: exchangeToken }),
    Context.add(RateBuckets, {
      anonymous: (address) => tokenRequest(`address:${address}`, rest.anonymousLimit),
      administrator: (address) => tokenRequest(`administrator:${address}`, anonymousLimit),
      token: (address) => tokenRequest(`tokens:${address}`, tokenRequestLimit),
      knownRefusal: (kind, address) => refusedBy.get(`${kind === "token" ? "tokens" : "address"}:${address}`) ?? null,
      refundSend: () => Effect.void
    }),
    Context.add(RequestLog, { record: () => {} }),
    Context.add(Channels, { list: unexpected("Channels.list") }),
    Context.add(Contacts, { create: createContact, list: unexpected("Contacts.list"), get: getContact }),
    Context.add(Conversations, {
      list: unexpected("Conversations.list"),
      get: unexpected("Conversations.get"),
      messages: unexpected("Conversations.messages"),
      signal: unexpected("Conversations.signal")
    }),
    Context.add(Unsubscribes, unsubscribes),
    Context.add(ChoiceLinks, choiceLinks),
    Context.add(Templates, { list: unexpected("Templates.list") }),
    Context.add(ProviderHooks, { at: hookAt }),
    Context.add(Leads, { create: unexpected("Leads.create") }),
    Context.add(BusinessEvents, { record: recordEvent }),
    Context.add(Uploads, { create: unexpected("Uploads.create"), get: unexpected("Uploads.get") }),
    Context.add(Files, { links: () => Effect.succeed(unlinked), open: openFile }),
    Context.add(Messages, { send: sendMessage, get: getMessage })
  )
  return { services, takenFrom }
}
