import type { ContactFilter } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import type { Query } from "./Query.js"
import { type Column, canBe, columnsOf, tableOf } from "./Tables.js"

/** What is on all pages of a list that is walked by number. */
export interface Whole {
  /** What precedes the select; its parameters come first. */
  readonly given: string
  /** A select of `total`. */
  readonly total: string
  /** A select of what the list is ordered by, as `sort`, and of `id`. */
  readonly places: string
}

/** The rows that a select of `sort` and `id` finds, counted one by one. */
export const counted = (select: string): Whole => ({
  given: `WITH found AS MATERIALIZED (${select}) `,
  total: "SELECT count(*) AS total FROM found",
  places: "SELECT sort, id FROM found"
})

/** The lists of the adapter's own that a contact of the filter is in; without any, the list of everybody. */
const facetsOf = ({ channel, lifecycleStage, tag }: ContactFilter): ReadonlyArray<string> => [
  ...(tag === null ? [] : [`tag:${tag}`]),
  ...(channel === null ? [] : [`channel:${channel}`]),
  ...(lifecycleStage === null ? [] : [`stage:${lifecycleStage}`])
]

const [workspace] = columnsOf(tableOf("contacts"), ["workspaceId"]) as [Column]

/** Whether the database can be asked for it at all. */
const canBeAsked = (filter: ContactFilter): boolean =>
  canBe(workspace, filter.workspaceId) &&
  ![filter.search, filter.tag, filter.channel].some((text) => text?.includes("\u0000"))

/** Contacts by the order of their names. Those of one list are walked and its kept count is read; any others are found first. */
export const contactsFound = (dialect: Dialect, { bind }: Query, filter: ContactFilter): Whole | null => {
  if (!canBeAsked(filter)) return null
  const { createdAfter, search, workspaceId } = filter
  const facets = facetsOf(filter)

  if (search === null && createdAfter === null && facets.length < 2) {
    const [facet = ""] = facets
    const isListed = () => `workspace_id = ${bind(workspaceId)} AND facet = ${bind(facet)}`
    return {
      given: "",
      total: `SELECT CAST(coalesce(sum(n), 0) AS bigint) AS total FROM contact_counts WHERE ${isListed()}`,
      places: `SELECT name_key AS sort, contact_id AS id FROM contact_facets WHERE ${isListed()}`
    }
  }

  // whether a row that was found is in another list too is looked up one by one: LIMIT and OFFSET keep databases from
  // reading that whole list instead
  const isIn = (facet: string) =>
    `EXISTS (SELECT 1 FROM contact_facets AS f WHERE f.workspace_id = d.workspace_id AND f.facet = ${bind(facet)} AND f.name_key = d.name_key AND f.contact_id = d.contact_id LIMIT 1 OFFSET 0)`
  const select = (from: string, conditions: ReadonlyArray<string>) =>
    counted(`SELECT d.name_key AS sort, d.contact_id AS id FROM ${[from, ...conditions].join(" AND ")}`)

  if (search !== null) {
    const from = `contact_search AS d WHERE d.workspace_id = ${bind(workspaceId)}`
    const contains = dialect.contains("d.search_key", search, bind)
    const isLater =
      createdAfter === null
        ? []
        : [
            `EXISTS (SELECT 1 FROM contacts AS c WHERE c.id = d.contact_id AND c.created_at > ${bind(createdAfter)} LIMIT 1 OFFSET 0)`
          ]
    return select(from, [contains, ...isLater, ...facets.map(isIn)])
  }
  if (createdAfter !== null) {
    const later = `SELECT workspace_id, name_key${dialect.byCodePoint} AS name_key, id AS contact_id FROM contacts WHERE workspace_id = ${bind(workspaceId)} AND created_at > ${bind(createdAfter)}`
    return select(`(${later}) AS d WHERE true`, facets.map(isIn))
  }
  const from = `contact_facets AS d WHERE d.workspace_id = ${bind(workspaceId)}`
  const asked = facets.map((facet) => `SELECT ${bind(facet)} AS facet`).join(" UNION ALL ")
  const rarest = `SELECT a.facet FROM (${asked}) AS a LEFT JOIN contact_counts AS c ON c.workspace_id = ${bind(workspaceId)} AND c.facet = a.facet GROUP BY a.facet ORDER BY coalesce(sum(c.n), 0) LIMIT 1`
  return select(from, [
    `d.facet = (${rarest})`,
    ...facets.map((facet) => `(d.facet = ${bind(facet)} OR ${isIn(facet)})`)
  ])
}
