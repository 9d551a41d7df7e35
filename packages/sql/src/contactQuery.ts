import type { ContactFilter } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import type { Query } from "./Query.js"
import { type Column, canBe, columnsOf, tableOf } from "./Tables.js"

/** The parts of a query for a list that is paginated by page number. */
export interface PagedQuery {
  /** The text that precedes the select; its parameters come first. */
  readonly given: string
  /** A select of `total`. */
  readonly total: string
  /** A select of the sort key as `sort`, and of `id`. */
  readonly places: string
}

/** The rows of a select of `sort` and `id`; the total is counted row by row. */
export const counted = (select: string): PagedQuery => ({
  given: `WITH found AS MATERIALIZED (${select}) `,
  total: "SELECT count(*) AS total FROM found",
  places: "SELECT sort, id FROM found"
})

/** The lists that contain the contacts of the filter; without any, the list of all contacts. */
const facetsOf = ({ channel, lifecycleStage, tag }: ContactFilter): ReadonlyArray<string> => [
  ...(tag === null ? [] : [`tag:${tag}`]),
  ...(channel === null ? [] : [`channel:${channel}`]),
  ...(lifecycleStage === null ? [] : [`stage:${lifecycleStage}`])
]

const [workspace] = columnsOf(tableOf("contacts"), ["workspaceId"]) as [Column]

/** Whether the filter's values are valid parameters of the database. */
const canBeAsked = (filter: ContactFilter): boolean =>
  canBe(workspace, filter.workspaceId) &&
  ![filter.search, filter.searchAlso, filter.tag, filter.channel].some((text) => text?.includes("\u0000"))

/**
 * Contacts in the order of their names. A filter for a single list reads that list and its stored count; any other
 * filter selects the contacts and counts them.
 */
export const contactQuery = (dialect: Dialect, { bind }: Query, filter: ContactFilter): PagedQuery | null => {
  if (!canBeAsked(filter)) return null
  const { createdAfter, search, searchAlso, workspaceId } = filter
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

  // Membership in another list is looked up row by row: LIMIT and OFFSET keep the planner from reading the whole list
  // instead.
  const isIn = (facet: string) =>
    `EXISTS (SELECT 1 FROM contact_facets AS f WHERE f.workspace_id = d.workspace_id AND f.facet = ${bind(facet)} AND f.name_key = d.name_key AND f.contact_id = d.contact_id LIMIT 1 OFFSET 0)`
  const select = (from: string, conditions: ReadonlyArray<string>) =>
    counted(`SELECT d.name_key AS sort, d.contact_id AS id FROM ${[from, ...conditions].join(" AND ")}`)

  if (search !== null) {
    const from = `contact_search AS d WHERE d.workspace_id = ${bind(workspaceId)}`
    const contains = [...new Set([search, searchAlso ?? search])]
      .map((text) => dialect.contains("d.search_key", text, bind))
      .join(" OR ")
    const isLater =
      createdAfter === null
        ? []
        : [
            `EXISTS (SELECT 1 FROM contacts AS c WHERE c.id = d.contact_id AND c.created_at > ${bind(createdAfter)} LIMIT 1 OFFSET 0)`
          ]
    return select(from, [`(${contains})`, ...isLater, ...facets.map(isIn)])
  }
  if (createdAfter !== null) {
    const later = `SELECT workspace_id, name_key${dialect.byCodePoint} AS name_key, id AS contact_id FROM contacts WHERE workspace_id = ${bind(workspaceId)} AND created_at > ${bind(createdAfter)}`
    return select(`(${later}) AS d WHERE true`, facets.map(isIn))
  }
  const from = `contact_facets AS d WHERE d.workspace_id = ${bind(workspaceId)}`
  const facetValues = facets.map((facet) => `SELECT ${bind(facet)} AS facet`).join(" UNION ALL ")
  const selective = `SELECT a.facet FROM (${facetValues}) AS a LEFT JOIN contact_counts AS c ON c.workspace_id = ${bind(workspaceId)} AND c.facet = a.facet GROUP BY a.facet ORDER BY coalesce(sum(c.n), 0) LIMIT 1`
  return select(from, [
    `d.facet = (${selective})`,
    ...facets.map((facet) => `(d.facet = ${bind(facet)} OR ${isIn(facet)})`)
  ])
}
