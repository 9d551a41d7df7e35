import type { Call, History } from "./History.js"
import { canonicalJson, type JsonObject, listAt, objectOf, textAt, valueAt } from "./json.js"

/** The actions of a workflow that was created and never changed, by its id. */
export const definitionsOf = ({ calls }: History): ReadonlyMap<string, ReadonlyArray<JsonObject>> => {
  const definitions = new Map<string, ReadonlyArray<JsonObject>>()
  for (const { operation, path, request, response } of calls) {
    if (operation === "POST /workflows" && response?.status === 201) {
      const actions = listAt(request.body, "actions").map((action) => objectOf(action) ?? {})
      definitions.set(textAt(response.body, "data", "id") ?? "", actions)
    }
    if (operation === "PATCH /workflows/{}") definitions.delete(path[1] ?? "")
  }
  return definitions
}

/** A run, as administrators read it. */
export interface RunHistory {
  readonly id: string
  readonly workspaceId: string
  readonly workflowId: string
  /** Application, name and data of the event that started it. */
  readonly event: string
  readonly contactId: string
  readonly data: unknown
  readonly readings: Array<{ readonly run: JsonObject; readonly call: Call }>
}

/** Identifies an event by its application, its name and its data. */
export const eventKey = (applicationId: string, name: string, data: unknown): string =>
  `${applicationId} ${name} ${canonicalJson(data)}`

/** The runs that administrators read, by id. */
export const runsOf = ({ calls }: History): ReadonlyMap<string, RunHistory> => {
  const runs = new Map<string, RunHistory>()
  for (const call of calls) {
    const run = objectOf(valueAt(call.response?.body, "data"))
    if (call.operation !== "GET /workflow-runs/{}" || call.response?.status !== 200 || run === null) continue
    const id = textAt(run, "id") ?? ""
    const data = valueAt(run, "event", "data")
    const known = runs.get(id) ?? {
      id,
      workspaceId: textAt(run, "workspace_id") ?? "",
      workflowId: textAt(run, "workflow_id") ?? "",
      event: eventKey(textAt(run, "application_id") ?? "", textAt(run, "event", "name") ?? "", data),
      contactId: textAt(run, "contact_id") ?? "",
      data,
      readings: []
    }
    known.readings.push({ run, call })
    runs.set(id, known)
  }
  return runs
}

/** A text of a workflow with the event's values; null if it has other placeholders. */
export const filledIn = (template: string, data: unknown): string | null => {
  const text = template.replace(/\{\{data\.([\w.]+)\}\}/g, (_, path: string) =>
    String(valueAt(data, ...path.split(".")) ?? "")
  )
  return text.includes("{{") ? null : text
}
