import { Schema } from "effect"
import { text } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import { ownerFields } from "../ownerFields.js"

/** The query of `GET /notifications` (decisions.md §14). */
export const NotificationListQuery = Schema.Struct({ ...listFields, ...ownerFields, kind: queryFilter(text(100)) })
export type NotificationListQuery = typeof NotificationListQuery.Type
