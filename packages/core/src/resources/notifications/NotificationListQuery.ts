import { Schema } from "effect"
import { dateOrTime } from "../../kernel/input/DateOrTime.js"
import { text } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { ownerFields } from "../../kernel/input/ownerFields.js"
import { field } from "../../kernel/input/wire.js"

/** The query of `GET /notifications` (docs/reference/administration.md#notifications). */
export const NotificationListQuery = Schema.Struct({
  ...listFields,
  ...ownerFields,
  kind: field(queryFilter(text(100)), { description: "Only those of this kind, such as `webhook_endpoint.disabled`." }),
  since: field(queryFilter(dateOrTime), { description: "Only those of this date or time or later." })
})
export type NotificationListQuery = typeof NotificationListQuery.Type
