import type {
  Contact,
  ContactFilter,
  Conversation,
  ConversationFilter,
  Instant,
  Job,
  Lane,
  Page,
  Slice,
  TableName,
  Template,
  TemplateFilter
} from "@parley/core"
import { dueAtOf } from "@parley/core"
import { canBe, columnsOf, idsFrom, type Table, tableOf } from "@parley/sql"
import { matches } from "./commit.js"
import { firstDueFrom } from "./dueOrder.js"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import type { Row } from "./storableRow.js"

/** The rows that meet the conditions, in no particular order. Conditions with one value use an index. */
const rowsWhere = (database: MemoryDatabase, table: Table, where: Row): ReadonlyArray<Row> => {
  const indexed: { [column: string]: unknown } = {}
  const others: { [column: string]: unknown } = {}
  let hasOthers = false
  for (const name in where) {
    const value = where[name]
    const [column] = columnsOf(table, [name])
    if (column?.kind === "json") throw new TypeError(`${name} cannot be a condition`)
    if (Array.isArray(value)) {
      others[name] = value
      hasOthers = true
    } else indexed[name] = value
  }
  const rows = database.table(table.name).findBy(indexed)
  return hasOthers ? rows.filter((row) => matches(table, row, others)) : rows
}

const compare = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0)

/** One page of rows. */
export const list = (
  database: MemoryDatabase,
  { after, from, notNull, limit, oldestFirstBy, since, where }: Page<TableName>
): ReadonlyArray<Row> => {
  const lowest = since === undefined ? null : idsFrom(since)
  const [by, order] = oldestFirstBy === undefined ? ["id", -1] : [oldestFirstBy, 1]
  return rowsWhere(database, tableOf(from), where as Row)
    .filter(
      (row) =>
        (after === null || compare(`${row[by]}`, after) === order) &&
        (lowest === null || `${row.id}` >= lowest) &&
        (notNull === undefined || row[notNull] !== null)
    )
    .sort((one, other) => order * compare(`${one[by]}`, `${other[by]}`))
    .slice(0, limit)
}

/** {@link list} with some columns only. */
export const listColumns = (
  database: MemoryDatabase,
  page: Page<TableName>,
  columns: ReadonlyArray<string>
): ReadonlyArray<Row> => {
  columnsOf(tableOf(page.from), columns)
  return list(database, page).map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])))
}

/** A page of rows in the order of a text by code points, then id. */
const slice = <T extends { readonly id: string }>(
  rows: ReadonlyArray<T>,
  textOf: (row: T) => string,
  { limit, offset }: { readonly offset: number; readonly limit: number }
): Slice<T> => ({
  rows: [...rows]
    .sort((one, other) => compareCodePoints(textOf(one), textOf(other)) || compare(one.id, other.id))
    .slice(offset, offset + limit),
  total: rows.length
})

/** Compares by code points. UTF-16 units of surrogates are lower than those of U+E000 to U+FFFF. */
const compareCodePoints = (one: string, other: string): number => {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) {
    const [a, b] = [one.charCodeAt(i), other.charCodeAt(i)]
    if (a !== b) return rankOf(a) - rankOf(b)
  }
  return one.length - other.length
}

const rankOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

/** Contacts in the order of their names. */
export const listContacts = (
  database: MemoryDatabase,
  filter: ContactFilter,
  page: { readonly offset: number; readonly limit: number }
): Slice<Contact> => {
  const { channel, createdAfter, lifecycleStage, search, searchAlso, tag, workspaceId } = filter
  const inWorkspace = rowsWhere(database, tableOf("contacts"), { workspaceId }) as unknown as ReadonlyArray<Contact>
  const found = inWorkspace.filter(
    (contact) =>
      (search === null ||
        contact.searchKey.includes(search) ||
        (searchAlso !== null && contact.searchKey.includes(searchAlso))) &&
      (lifecycleStage === null || contact.lifecycleStage === lifecycleStage) &&
      (tag === null || contact.tags.includes(tag)) &&
      (channel === null || contact.identities.some((identity) => identity.channel === channel)) &&
      (createdAfter === null || contact.createdAt > createdAfter)
  )
  return slice(found, ({ nameKey }) => nameKey, page)
}

/** Templates in the order of their names. */
export const listTemplates = (
  database: MemoryDatabase,
  { language, status, workspaceId }: TemplateFilter,
  page: { readonly offset: number; readonly limit: number }
): Slice<Template> => {
  const where = {
    workspaceId,
    ...(language === null ? {} : { language }),
    ...(status === null ? {} : { status })
  }
  const found = rowsWhere(database, tableOf("templates"), where) as unknown as ReadonlyArray<Template>
  return slice(found, ({ name }) => name, page)
}

/** Conversations, the last active ones first. */
export const listConversations = (
  database: MemoryDatabase,
  filter: ConversationFilter,
  after: Pick<Conversation, "lastActivityAt" | "id"> | null,
  limit: number
): ReadonlyArray<Conversation> => {
  const { assignedTeamId, assignedUserId, connectionIds, contactId, status, workspaceId } = filter
  const isBounded = contactId !== null || assignedUserId != null || assignedTeamId !== undefined
  // A workspace only restricts the other filters.
  if (connectionIds === null && !isBounded) return []
  const where = {
    ...(connectionIds === null ? {} : { connectionId: connectionIds }),
    ...(contactId === null ? {} : { contactId }),
    ...(status === null ? {} : { status }),
    ...(workspaceId === undefined ? {} : { workspaceId }),
    ...(assignedUserId === undefined ? {} : { assignedUserId }),
    ...(assignedTeamId === undefined ? {} : { assignedTeamId })
  }
  const found = rowsWhere(database, tableOf("conversations"), where) as unknown as ReadonlyArray<Conversation>
  return found
    .filter((one) => after === null || newestFirst(after, one) < 0)
    .sort(newestFirst)
    .slice(0, limit)
}

type Place = Pick<Conversation, "lastActivityAt" | "id">

const newestFirst = (one: Place, other: Place): number =>
  other.lastActivityAt - one.lastActivityAt || compare(other.id, one.id)

/** Jobs of a lane by due time. */
export const listJobs = (
  database: MemoryDatabase,
  { lane, workspaceId }: { readonly lane: Lane; readonly workspaceId: string | null },
  after: { readonly dueAt: Instant; readonly id: string } | null,
  limit: number
): ReadonlyArray<Job> => {
  const jobs = database.table("jobs").lane(lane)
  const found: Array<Job> = []
  for (let i = after === null ? 0 : firstDueFrom(jobs, after.dueAt); i < jobs.length && found.length < limit; i++) {
    const job = jobs[i] as Job
    const isSeen = after !== null && dueAtOf(job) === after.dueAt && job.id <= after.id
    if (!isSeen && (workspaceId === null || job.workspaceId === workspaceId)) found.push(job)
  }
  return found
}

/** The rows of one lookup. */
export const lookUp = (database: MemoryDatabase, from: TableName, where: Row): ReadonlyArray<Row> => {
  const table = tableOf(from)
  let compared = where
  for (const name in where) {
    const [column] = columnsOf(table, [name])
    if (column === undefined || column.kind === "json") throw new TypeError(`${name} cannot be looked up by`)
    const value = where[name]
    if (!canBe(column, value)) return []
    if (column.kind !== "uuid" || typeof value !== "string") continue
    const lower = value.toLowerCase()
    if (lower !== value) compared = { ...compared, [name]: lower }
  }
  return database.table(from).findBy(compared)
}
