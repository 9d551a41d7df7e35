import type { Action, Event, Ids, Lead, Run, Task } from "@parley/core"
import { aLead, anEvent, aTask } from "@parley/testkit/rows"
import { workspaceId } from "../world/seed.js"
import type { InTransaction, Query, Statements } from "./Query.js"
import { insertInto } from "./writeMessage.js"

/**
 * Executes the oldest due run with its three local actions in one transaction; false if no run is due. `skipping` is
 * the end of the locking clause.
 */
export const executeOneRun = (inTransaction: InTransaction, skipping: string, ids: Ids): Promise<boolean> =>
  inTransaction(
    (function* (): Statements<boolean> {
      const now = Date.now()
      const [job] = yield {
        name: "take",
        text: `DELETE FROM jobs WHERE id = (
          SELECT id FROM jobs WHERE lane = 'runs' AND due_at <= ? ORDER BY due_at, id LIMIT 1${skipping}
        ) RETURNING reference`,
        values: [now]
      }
      if (job === undefined) return false
      const [found] = yield read(job.reference)
      const { actions } = parsed(found.definition) as { readonly actions: ReadonlyArray<Action> }
      const fill = filler({ data: parsed(found.data), contact: found })
      for (const action of actions) yield* run(action, found, fill, now, ids)
      const steps = actions.map((action, position): Run["steps"][number] => {
        const { name, type } = action
        return {
          position,
          type,
          name,
          outcome: "done",
          detail: `did ${type}`,
          startedAt: now,
          endedAt: now,
          attempts: 1
        }
      })
      yield {
        name: "done",
        text: "UPDATE workflow_runs SET status = 'completed', position = ?, steps = ?, ended_at = ?, version = version + 1 WHERE id = ?",
        values: [steps.length, JSON.stringify(steps), now, job.reference]
      }
      return true
    })()
  )

const read = (runId: string): Query => ({
  name: "read",
  text: `SELECT r.data, v.definition, c.* FROM workflow_runs AS r
    JOIN workflow_versions AS v ON v.id = r.version_id JOIN contacts AS c ON c.id = r.contact_id
    WHERE r.id = ? AND r.status = 'running'`,
  values: [runId]
})

function* run(action: Action, contact: any, fill: Fill, now: number, ids: Ids): Statements<void> {
  if (action.type === "add_tag") yield* addTag(contact, fill(action.tag), now, ids)
  if (action.type === "create_task") {
    const task = aTask({ id: ids.next(now), workspaceId, contactId: contact.id, createdAt: now })
    yield insert("tasks", { ...task, title: fill(action.title), dueAt: now + (action.dueInMs ?? 0) })
  }
  if (action.type === "create_lead") {
    const [pipeline] = yield {
      name: "pipeline",
      text: "SELECT * FROM pipelines WHERE workspace_id = ?",
      values: [workspaceId]
    }
    const lead: Lead = {
      ...aLead({ id: ids.next(now), workspaceId, contactId: contact.id, pipelineId: pipeline.id, createdAt: now }),
      stage: parsed(pipeline.stages)[0].key,
      title: fill(action.title ?? ""),
      value: Number(fill(`${action.value}`)),
      currency: action.currency
    }
    yield insert("leads", lead)
    yield insert("events", event(ids, now, "lead.created", lead.id, { lead }))
  }
}

function* addTag(contact: any, tag: string, now: number, ids: Ids): Statements<void> {
  const tags = JSON.stringify([...parsed(contact.tags), tag])
  yield {
    name: "tag",
    text: "INSERT INTO tags (workspace_id, folded, name) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    values: [workspaceId, tag.toLowerCase(), tag]
  }
  yield {
    name: "contact",
    text: "UPDATE contacts SET tags = ?, version = version + 1 WHERE id = ?",
    values: [tags, contact.id]
  }
  yield insert("events", event(ids, now, "contact.updated", contact.id, { contact: { ...contact, tags } }))
}

const event = (ids: Ids, now: number, type: Event["type"], subjectId: string, data: unknown): Event => ({
  ...anEvent({ id: ids.next(now), workspaceId, type, subjectId, createdAt: now }),
  applicationId: null,
  connectionId: null,
  hasExternalReference: false,
  data: JSON.stringify(data)
})

const insert = (table: "events" | "leads" | "tasks", row: Event | Lead | Task): Query =>
  insertInto({ table, rows: [row] })

/** SQLite returns JSON as text. */
const parsed = (value: any): any => (typeof value === "string" ? JSON.parse(value) : value)

type Fill = (text: string) => string

/** Replaces placeholders such as `{{data.order.id}}`. */
const filler =
  (values: { readonly [root: string]: unknown }): Fill =>
  (text) =>
    text.replace(/\{\{([^{}]+)\}\}/g, (_, path: string) => {
      const value = path.split(".").reduce((holder: any, name) => holder?.[name], values)
      return value === undefined || value === null ? "" : String(value)
    })
