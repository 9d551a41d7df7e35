import type { components, paths } from "./generated/openapi.js"

/**
 * Resources and inputs of the interface, with wire names. Generated from the service's OpenAPI document by `npm run
 * generate`.
 */

type Schemas = components["schemas"]

/** Query parameters of a route's GET. */
type QueryOf<Path extends keyof paths> = paths[Path] extends {
  readonly get: { readonly parameters: { readonly query?: infer Query } }
}
  ? NonNullable<Query>
  : never

/** Error codes of the catalogue (docs/reference/errors.md#error-envelope). */
export type CatalogueCode = Schemas["ErrorBody"]["code"]

/** A customer with identities and tags. */
export type Contact = Schemas["Contact"]
/** A customer in lists: without identities and tags. */
export type ListedContact = Schemas["ListedContact"]
export type ContactInput = Schemas["ContactInput"]
export type ContactQuery = QueryOf<"/contacts">

/** A file that was uploaded to send it. */
export type Upload = Schemas["Upload"]

export type Message = Schemas["Message"]
export type SendAcknowledgement = Schemas["SendAcknowledgement"]

type SendBody = Schemas["SendMessageInput"]
type SendAddress = Omit<SendBody, "type" | "message">
type Content<Needed extends keyof SendBody["message"], More extends keyof SendBody["message"]> = {
  readonly [Field in Needed]: NonNullable<SendBody["message"][Field]>
} & Pick<SendBody["message"], More>

/** A text message; `subject` applies to email. */
export interface SendText extends SendAddress {
  readonly type: "text"
  readonly message: Content<"body", "subject" | "quoted">
}
/** An approved template; `variables` in the order of its slots. */
export interface SendTemplate extends SendAddress {
  readonly type: "template"
  readonly message: Content<"template", "language" | "variables" | "quoted">
}
/** The member of `message.content` that has this field. */
type SendContent<Field extends string> = Extract<SendBody["message"]["content"], { readonly [F in Field]?: unknown }>

/** Files, each at a `url` or uploaded; `body` is the caption. */
export interface SendMedia extends SendAddress {
  readonly type: "media"
  readonly message: Content<"attachments", "body" | "subject" | "quoted">
}
/** A place. */
export interface SendLocation extends SendAddress {
  readonly type: "location"
  readonly message: Pick<SendBody["message"], "quoted"> & { readonly content: SendContent<"latitude"> }
}
/** Contact cards. */
export interface SendContacts extends SendAddress {
  readonly type: "contacts"
  readonly message: Pick<SendBody["message"], "quoted"> & { readonly content: SendContent<"contacts"> }
}
/** A question with options; `body` is the question. */
export interface SendChoices extends SendAddress {
  readonly type: "choices"
  readonly message: Content<"body", "quoted"> & { readonly content: SendContent<"options"> }
}
/** A reaction to the message in `quoted`; without an emoji it takes the reaction back. */
export interface SendReaction extends SendAddress {
  readonly type: "reaction"
  readonly message: Content<"quoted", never> & { readonly content: SendContent<"emoji"> }
}
/** A message to send. `capabilities.types` of a channel lists the types that it carries. */
export type SendMessageInput =
  | SendText
  | SendTemplate
  | SendMedia
  | SendLocation
  | SendContacts
  | SendChoices
  | SendReaction

export type Conversation = Schemas["Conversation"]
export type ConversationStatus = Conversation["status"]
export type ConversationQuery = QueryOf<"/conversations">
export type Signal = Schemas["Signal"]
export type MessageQuery = QueryOf<"/conversations/{id}/messages">

export type Template = Schemas["Template"]
export type TemplateQuery = QueryOf<"/templates">

export type Channel = Schemas["Channel"]
export type ChannelQuery = QueryOf<"/channels">

export type Lead = Schemas["Lead"]
export type LeadInput = Schemas["LeadInput"]

/** A named event; its contact is given by `contact_id` or `identity`. */
export type BusinessEventInput = Schemas["BusinessEventInput"]
export type EventAcknowledgement = Schemas["EventAcknowledgement"]
