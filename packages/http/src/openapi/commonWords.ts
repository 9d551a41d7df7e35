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
  application_id: "Only those of this application.",
  status: "Only those with this status.",
  language: "Only those in this language.",
  include_unapproved: "Whether templates that cannot be sent are listed too."
}
