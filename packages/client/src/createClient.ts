import type { ApiKeyAccess, ClientOptions, OAuthAccess } from "./ClientOptions.js"
import { type Attachments, attachments } from "./resources/Attachments.js"
import { type Channels, channels } from "./resources/Channels.js"
import { type Contacts, contacts } from "./resources/Contacts.js"
import { type Conversations, conversations } from "./resources/Conversations.js"
import { type Events, events } from "./resources/Events.js"
import { type Leads, leads } from "./resources/Leads.js"
import { type Messages, messages } from "./resources/Messages.js"
import { type Templates, templates } from "./resources/Templates.js"
import { accessTokens } from "./transport/accessTokens.js"
import { makeCall } from "./transport/Call.js"
import { apiKeyCredential, type Credential } from "./transport/Credential.js"
import { checkOptions } from "./transport/checkOptions.js"
import { type Settings, settingsOf } from "./transport/Settings.js"
import type { Timing } from "./transport/Timing.js"

/** Client of the public interface for one application. Every call fails with a `ParleyError`. */
export interface Client {
  readonly contacts: Contacts
  readonly messages: Messages
  readonly conversations: Conversations
  readonly templates: Templates
  readonly leads: Leads
  readonly events: Events
  readonly attachments: Attachments
  readonly channels: Channels
}

/**
 * Creates a client for server-to-server use. It holds no connections and needs no close. Reuse one client, so that
 * calls share access tokens. Throws a `TypeError` if an option is invalid or unknown.
 *
 * @example
 * ```ts
 * const parley = createClient({ baseUrl: "https://messaging.example", apiKey })
 *
 * const { data } = await parley.messages.send(
 *   { channel: "email", to: "ada@example.com", type: "text", message: { subject: "Hi", body: "Hello" } },
 *   { idempotencyKey: "order-1001" }
 * )
 * for await (const contact of parley.contacts.listAll({ tag: "vip" })) console.log(contact.name)
 * ```
 */
export const createClient = (
  options: (ApiKeyAccess | OAuthAccess) & ClientOptions,
  ...more: ReadonlyArray<never>
): Client => {
  checkOptions("createClient takes one object with all options", more.length > 0 ? undefined : options, optionNames)
  return makeClient(options, options)
}

const optionNames: ReadonlyArray<keyof ApiKeyAccess | keyof OAuthAccess | keyof ClientOptions> = [
  "baseUrl",
  "apiKey",
  "clientId",
  "clientSecret",
  "scope",
  "fetch",
  "timeoutMs",
  "maxRetries",
  "userAgent",
  "shutdownSignal"
]

/** {@link createClient} with a clock and random source for tests. */
export const makeClient = (access: ApiKeyAccess | OAuthAccess, options: ClientOptions, timing?: Timing): Client => {
  const settings = settingsOf(access.baseUrl, options, timing)
  const credential = credentialOf(settings, access)
  const call = makeCall(settings, credential)
  return {
    contacts: contacts(call),
    messages: messages(call),
    conversations: conversations(call),
    templates: templates(call),
    leads: leads(call),
    events: events(call),
    attachments: attachments(call),
    channels: channels(call)
  }
}

const credentialOf = (settings: Settings, access: ApiKeyAccess | OAuthAccess): Credential => {
  if (access.clientId === undefined) return apiKeyCredential(access.apiKey)
  if (access.apiKey !== undefined) throw new TypeError("apiKey must be absent if clientId is given")
  return accessTokens(settings, access)
}
