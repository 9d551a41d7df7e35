import { type ApplicationWork, failuresThatDisable, maxScanned, type Storage } from "@parley/core"
import { Effect } from "effect"
import type { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { runStatement } from "./runStatement.js"

const counts = ["queued", "sending", "deliveries", "parked", "failed", "disabledEndpoints"] as const
type Count = (typeof counts)[number]

/**
 * Counts the work of each application: the first jobs of a lane along the index of claims, the newest messages, and
 * disabled endpoints. One row for each of the first `top` applications by what waits, and one for all others.
 */
export const workByApplication = (database: Database, dialect: Dialect): Storage["workByApplication"] => {
  const p = dialect.parameter
  /** A select of one count, 1 for each row. */
  const each = (count: Count, application: string, from: string) =>
    `SELECT ${application} AS app, ${counts.map((name) => `${name === count ? 1 : 0} AS "${name}"`).join(", ")}, NULL AS oldest FROM ${from}`
  const head = (lane: string) =>
    `(SELECT t.id, t.workspace_id, t.payload, t.lease_until, t.created_at FROM jobs AS t WHERE t.lane = '${lane}' ORDER BY t.due_at, t.id LIMIT ${maxScanned}) AS j`
  const text = (column: string) => `CAST(${column} AS text)`
  // The jobs of subscriptions that have a task are no deliveries.
  // Deliveries to subscriptions of a workspace have its id, and are of no application.
  const ofDelivery = `NULLIF(j.payload ->> 'applicationId', ${text("j.workspace_id")})`
  const sum = (name: string) => `CAST(sum("${name}") AS bigint) AS "${name}"`
  const sums = counts.map(sum).join(", ")
  const waiting = `"queued" + "sending" + "deliveries" + "parked"`

  const ofMessages = (lane: string, leased: string) =>
    `SELECT ${text("m.application_id")} AS app, ${leased} AS leased, j.created_at FROM ${head(lane)} LEFT JOIN messages AS m ON m.id = j.id`

  // A message whose files are fetched waits, also while a process fetches them.
  const statement = `WITH sends AS (
  ${ofMessages("sends", `j.lease_until > ${p(1)}`)}
  UNION ALL ${ofMessages("downloads", "1 = 0")}
), work AS (
  SELECT app, CASE WHEN leased THEN 0 ELSE 1 END AS "queued", CASE WHEN leased THEN 1 ELSE 0 END AS "sending",
    0 AS "deliveries", 0 AS "parked", 0 AS "failed", 0 AS "disabledEndpoints", created_at AS oldest FROM sends
  UNION ALL ${each("deliveries", ofDelivery, head("deliveries"))}
  UNION ALL ${each("deliveries", ofDelivery, head("retries"))}
  UNION ALL ${each("deliveries", ofDelivery, `${head("subscriptions")} WHERE j.payload ->> 'task' IS NULL`)}
  UNION ALL ${each("parked", `coalesce(${ofDelivery}, ${text("m.application_id")}, ${text("r.application_id")})`, `${head("parked")} LEFT JOIN messages AS m ON m.id = j.id LEFT JOIN workflow_runs AS r ON r.id = j.id`)}
  UNION ALL ${each("failed", text("m.application_id"), `(SELECT t.application_id, t.status FROM messages AS t ORDER BY t.id DESC LIMIT ${maxScanned}) AS m WHERE m.status = 'failed'`)}
  UNION ALL ${each("disabledEndpoints", text("NULLIF(e.application_id, e.workspace_id)"), `(SELECT t.application_id, t.workspace_id FROM endpoints AS t WHERE t.status = 'disabled' OR (t.status = 'active' AND t.consecutive_failures >= ${failuresThatDisable}) LIMIT ${maxScanned}) AS e`)}
), grouped AS (
  SELECT app, ${sums}, min(oldest) AS oldest FROM work GROUP BY app
), ranked AS (
  SELECT *, row_number() OVER (ORDER BY ${waiting} DESC, "failed" DESC, "disabledEndpoints" DESC, app IS NULL, app) AS place FROM grouped
), placed AS (
  SELECT *, CASE WHEN place <= ${p(2)} THEN place ELSE 0 END AS shown FROM ranked
)
SELECT shown, min(app) AS "applicationId", count(*) AS "applications", ${sums}, min(oldest) AS "oldestQueuedAt"
FROM placed GROUP BY shown ORDER BY shown`

  return (now, top) =>
    Effect.map(
      runStatement(database, dialect, { text: statement, parameters: [now, top] }),
      (rows: ReadonlyArray<ApplicationWork & { readonly shown: number; readonly applications: number }>) => {
        const rest = rows.find(({ shown }) => shown === 0)
        return {
          applications: rows.filter(({ shown }) => shown > 0).map(({ applications: _, shown: __, ...work }) => work),
          rest: rest === undefined ? null : restOf(rest)
        }
      }
    )
}

const restOf = ({
  applicationId: _,
  shown: __,
  ...rest
}: ApplicationWork & { readonly shown: number; readonly applications: number }) => rest
