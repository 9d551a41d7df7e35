import type { LifecycleStage } from "../model/Contact.js"
import type { ConversationStatus } from "../model/Conversation.js"
import type { Instant } from "../model/Instant.js"
import type { Template } from "../model/Template.js"
import type { Condition, TableName, Tables } from "./Changes.js"

/** One page of rows in descending order of id: newest first, since ids are UUIDv7. */
export interface Page<T extends TableName> {
  readonly from: T
  readonly where: Condition<T>
  /**
   * The rows come in ascending order of this column instead, which holds ids that differ between the rows; `after` is
   * one of its values.
   */
  readonly oldestFirstBy?: keyof Tables[T] & string
  /** Returns the rows behind this id, whose own row may be gone; null starts at the first one. */
  readonly after: string | null
  /** Returns rows with a value in this column. Default: all. */
  readonly notNull?: keyof Tables[T] & string
  /** Returns rows whose id was generated at this time (ms) or later. Default: no bound. */
  readonly since?: Instant
  readonly limit: number
}

/** Filters of `Storage.listContacts`; null disables a filter. */
export interface ContactFilter {
  readonly workspaceId: string
  /** A substring of the contact's search key, normalised like it (docs/reference/contacts.md#search-key). */
  readonly search: string | null
  /** Another substring; contacts match that have it or `search`. Null: `search` only. */
  readonly searchAlso: string | null
  readonly lifecycleStage: LifecycleStage | null
  /** In the workspace's spelling. */
  readonly tag: string | null
  /** Contacts with an identity on this channel. */
  readonly channel: string | null
  /** Exclusive, in ms. */
  readonly createdAfter: Instant | null
}

/** Filters of `Storage.listTemplates`; null disables a filter. */
export interface TemplateFilter {
  readonly workspaceId: string
  readonly language: string | null
  readonly status: Template["status"] | null
}

/** Filters of `Storage.listConversations`; null disables a filter. */
export interface ConversationFilter {
  /** Restricts to these connections. Null only together with a contact or an assignee. */
  readonly connectionIds: ReadonlyArray<string> | null
  readonly contactId: string | null
  readonly status: ConversationStatus | null
  /** Absent: no filter. */
  readonly workspaceId?: string
  /** Null: without an agent. It narrows another filter down, as no index serves it alone. */
  readonly assignedUserId?: string | null
  readonly assignedTeamId?: string
}

/** One page of a list with page numbers. */
export interface Slice<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Exact number of rows on all pages. */
  readonly total: number
}
