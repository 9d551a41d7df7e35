import type { Contact } from "@parley/core"
import type { Column, Relation, Row } from "./Tables.js"

/**
 * The tables from which contacts are listed. The commit that changes a contact writes them in the same transaction:
 *
 * - `contact_facets` has a row for each list that contains a contact, in the order of names: the list of all contacts
 *   (`''`), of its stage, of each of its tags and of each of its channels;
 * - `contact_counts` has the number of contacts in each list, as the sum of its rows;
 * - `contact_search` has the text that is searched, apart from `contacts`, which every message updates.
 */
const column = (name: string, sql: string, kind: Column["kind"] = "text"): Column => ({ name, sql, kind })
const workspaceId = column("workspaceId", "workspace_id", "uuid")
const facet = column("facet", "facet")
const nameKey = column("nameKey", "name_key")
const contactId = column("contactId", "contact_id", "uuid")
const relation = (sql: string, key: ReadonlyArray<Column>, others: ReadonlyArray<Column> = []): Relation => ({
  name: sql,
  sql,
  key,
  columns: [...key, ...others]
})

export const contactFacets = relation("contact_facets", [workspaceId, facet, nameKey, contactId])
export const contactSearch = relation(
  "contact_search",
  [workspaceId, nameKey, contactId],
  [column("searchKey", "search_key")]
)
/** Some columns only: each dialect decides how to distinguish rows of the same list. */
export const countColumns: ReadonlyArray<Column> = [workspaceId, facet, column("n", "n", "integer")]

type Listed = Pick<Contact, "id" | "workspaceId" | "nameKey" | "searchKey" | "lifecycleStage" | "tags" | "identities">

/** The columns of a contact that determine its lists, its position in them, and its search text. */
export const listedColumns: ReadonlyArray<keyof Listed> = [
  "workspaceId",
  "nameKey",
  "searchKey",
  "lifecycleStage",
  "tags",
  "identities"
]
const listed: ReadonlySet<string> = new Set(listedColumns)

/** Whether any of these columns is one of {@link listedColumns}. */
export const anyListed = (columns: Iterable<string>): boolean => {
  for (const name of columns) if (listed.has(name)) return true
  return false
}

/** A contact before and after a batch; null: deleted. */
export interface ContactChange {
  readonly before: Row
  readonly after: Row | null
}

/** The rows that update the lists to match the contacts. */
export interface ListWrites {
  readonly removed: { readonly facets: ReadonlyArray<Row>; readonly search: ReadonlyArray<Row> }
  readonly added: { readonly facets: ReadonlyArray<Row>; readonly search: ReadonlyArray<Row> }
  /** The changes of the number of contacts in each list, never 0. */
  readonly counts: ReadonlyArray<Row>
}

/** The lists that contain a contact, each once. */
export const facetsOf = ({ identities, lifecycleStage, tags }: Listed): ReadonlySet<string> => {
  const facets = new Set(["", `stage:${lifecycleStage}`])
  for (const tag of tags) facets.add(`tag:${tag}`)
  for (const { channel } of identities) facets.add(`channel:${channel}`)
  return facets
}

const nothing: ReadonlySet<string> = new Set()

/** The list rows to write for the contacts that a batch inserts and changes. */
export const listWrites = (inserted: ReadonlyArray<Row>, changed: ReadonlyArray<ContactChange>): ListWrites => {
  const removed = { facets: [] as Array<Row>, search: [] as Array<Row> }
  const added = { facets: [] as Array<Row>, search: [] as Array<Row> }
  const counts = new Map<string, Row & { n: number }>()

  const count = (workspaceId: string, facet: string, n: number) => {
    const key = `${workspaceId}${facet}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { workspaceId, facet, n })
    else known.n += n
  }
  const write = (before: Listed | null, after: Listed | null) => {
    const [old, now] = [before === null ? nothing : facetsOf(before), after === null ? nothing : facetsOf(after)]
    const staysNamed = before?.nameKey === after?.nameKey
    if (before !== null) {
      const { id: contactId, nameKey, workspaceId } = before
      for (const facet of old) {
        if (!now.has(facet)) count(workspaceId, facet, -1)
        if (!staysNamed || !now.has(facet)) removed.facets.push({ workspaceId, facet, nameKey, contactId })
      }
    }
    if (after !== null) {
      const { id: contactId, nameKey, workspaceId } = after
      for (const facet of now) {
        if (!old.has(facet)) count(workspaceId, facet, 1)
        if (!staysNamed || !old.has(facet)) added.facets.push({ workspaceId, facet, nameKey, contactId })
      }
    }
    if (staysNamed && before?.searchKey === after?.searchKey) return
    if (before !== null) {
      removed.search.push({ workspaceId: before.workspaceId, nameKey: before.nameKey, contactId: before.id })
    }
    if (after !== null) {
      const { id: contactId, nameKey, searchKey, workspaceId } = after
      added.search.push({ workspaceId, nameKey, contactId, searchKey })
    }
  }

  for (const after of inserted) write(null, after as unknown as Listed)
  for (const { after, before } of changed) write(before as unknown as Listed, after as Listed | null)
  return { removed, added, counts: [...counts.values()].filter(({ n }) => n !== 0) }
}
