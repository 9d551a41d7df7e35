import { Schema } from "effect"
import { FieldMessage, shapeOf, text, uuid } from "./Fields.js"
import { partialDecode } from "./PartialDecode.js"
import { field, wire } from "./wire.js"

/** Default page size (docs/reference/pagination.md#page-size). */
export const defaultLimit = 25

/** Maximum page size. */
export const maxPerPage = 100

const rowCountText = Schema.String.pipe(
  Schema.filter((value) => /^([1-9]\d?|100)$/.test(value), {
    [FieldMessage]: `must be a whole number from 1 to ${maxPerPage}`
  })
)

/** Page size, 1 to 100. */
export const rowCount: Schema.Schema<number, string> = Schema.transform(rowCountText, Schema.Number, {
  strict: true,
  decode: Number,
  encode: String
}).annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: maxPerPage } })

/** Page size in a query: 1 to 100, default 25. */
export const pageLimit = Schema.optionalWith(rowCount, { default: () => defaultLimit })

/** `true` or `false` in a query. Absent or empty: false. */
export const queryFlag = Schema.optionalWith(
  Schema.transform(
    Schema.String.pipe(
      Schema.filter((value) => ["true", "false", ""].includes(value), { [FieldMessage]: "must be true or false" })
    ),
    Schema.Boolean,
    { strict: true, decode: (value) => value === "true", encode: String }
  ).annotations({ jsonSchema: { type: "boolean" } }),
  { default: () => false }
)

/** A filter in a query. Absent or empty: null. */
export const queryFilter = <A, I extends string>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(
    Schema.transform(Schema.String, Schema.NullOr(schema), {
      strict: false,
      decode: (value) => (value === "" ? null : value),
      encode: (value) => value ?? ""
    }).annotations({ jsonSchema: shapeOf(schema) }),
    { default: () => null }
  )

/** Filters that many lists have. */
export const filters = {
  workspaceId: wire("workspace_id", queryFilter(uuid), { description: "Only those of this workspace." }),
  contactId: wire("contact_id", queryFilter(uuid), { description: "Only those of this contact." }),
  connectionId: wire("connection_id", queryFilter(uuid), { description: "Only those on this connection." }),
  conversationId: wire("conversation_id", queryFilter(uuid), { description: "Only those of this conversation." }),
  assignedUserId: wire("assigned_user_id", queryFilter(uuid), { description: "Only those assigned to this agent." }),
  assignedTeamId: wire("assigned_team_id", queryFilter(uuid), { description: "Only those assigned to this team." }),
  applicationId: wire("application_id", queryFilter(uuid), { description: "Only those of this application." })
}

/** The query fields of every cursor list (docs/reference/pagination.md#cursor-lists). */
export const listFields = {
  limit: field(pageLimit, { description: "Page size." }),
  cursor: field(queryFilter(text(1_000)), {
    description: "From `links.next` of the previous page; valid for the same filters only."
  })
}

/** The query of a cursor list without filters. */
export const ListQuery = Schema.Struct(listFields)
export type ListQuery = typeof ListQuery.Type

export const decodeListQuery = partialDecode(ListQuery)
