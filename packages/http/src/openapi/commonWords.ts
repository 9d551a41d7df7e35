import { errorExample } from "./errorResponses.js"
import type { Entries } from "./Glossary.js"

/** What components are told that every document has. */
export const commonEntries: Entries = {
  ErrorBody: {
    description: "What every error says. Branch on `code`.",
    example: errorExample("validation_failed").error,
    fields: {
      message: "For people to read.",
      details:
        "Of `validation_failed`, every field's problems by its name, such as `message.template`; else what the code promises."
    }
  },
  Timestamp: { description: "A time in UTC, to the millisecond." }
}

/** What parameters mean, by their names. */
export const parameterWords: { readonly [name: string]: string } = {
  id: "The resource's id.",
  contact: "The contact's id.",
  key_id: "The API key's id.",
  client: "The OAuth client's id.",
  limit: "How many rows a page has.",
  cursor: "From `links.next` of the page before; good for the same filters alone.",
  page: "Which page, from 1.",
  per_page: "How many rows a page has.",
  search: "Free text in name, phone, email and company.",
  lifecycle_stage: "Only contacts in this stage.",
  tag: "Only contacts that carry this tag.",
  channel: "Only those on this channel.",
  created_after: "Only those made later than this date or time.",
  contact_id: "Only those of this contact.",
  connection_id: "Only those on this connection.",
  workspace_id: "Only those of this workspace.",
  message_id: "Only those of this message's events.",
  event_id: "Only those of this event.",
  attempt_id: "Only the one that this attempt was at: its `X-Delivery-ID`.",
  endpoint_id: "Only those to this endpoint.",
  application_id: "Only those of this application.",
  status: "Only those with this status.",
  conversation_id: "Only those of this conversation.",
  assigned_user_id: "Only those that this agent has.",
  assigned_team_id: "Only those that this team has.",
  pipeline_id: "Only those in this pipeline.",
  stage: "Only those in the stage of this key; `pipeline_id` has to be given with it.",
  method: "Only those with this HTTP method.",
  since: "Only those of this date or time or later.",
  action: "Only those of this kind, such as `api_key.issued`.",
  kind: "Only those of this kind, such as `webhook_endpoint.disabled`.",
  handle: "Only the one that has this handle; `workspace_id` has to be given with it.",
  language: "Only those in this language.",
  include_unapproved: "Whether templates that cannot be sent are listed too."
}
