import { listAt, textAt } from "../audit/json.js"
import type { Callers, Received } from "./Callers.js"

const eventName = "order.shipped"

/** Body of a workflow that a business event starts: it waits, sends a message, waits again and creates a task. */
const workflowOf = (workspaceId: string) => ({
  workspace_id: workspaceId,
  name: "Order shipped",
  trigger: { type: "external_event", event: eventName },
  actions: [
    { type: "wait", for: "10s" },
    { type: "send_message", channel: "preferred", body: "Shipped: {{data.order}}", on_error: "continue" },
    { type: "wait", for: "1s" },
    { type: "create_task", title: "Call about {{data.order}}" }
  ]
})

/** Creates and publishes a workflow in each workspace. Fails if a call does: no fault is active yet. */
export const publishWorkflows = async (callers: Callers, workspaceIds: ReadonlyArray<string>): Promise<void> => {
  const post = async (path: string, body?: object) => {
    const received = await callers.request("administrator", "POST", path, body === undefined ? {} : { body })
    if (received === null || received.status >= 300) throw new Error(`POST ${path} is answered ${received?.status}`)
    return received
  }
  for (const workspaceId of workspaceIds) {
    const made = await post("/admin/v1/workflows", workflowOf(workspaceId))
    await post(`/admin/v1/workflows/${textAt(made.body, "data", "id")}/publish`)
  }
}

/** Sends the event of an order. The same order has the same `dedupe_key`. */
export const sendOrder = (
  callers: Callers,
  { application, contactId, key, order }: { application: string; contactId: string; key: string; order: number }
): Promise<Received | null> =>
  callers.request(application, "POST", "/api/v1/events", {
    idempotencyKey: key,
    body: {
      event: eventName,
      contact_id: contactId,
      dedupe_key: `order ${order}`,
      data: { order: `${order} of ${application}` }
    }
  })

/** Reads all runs and tasks of the workspaces. `pages`: reads a list to its end, and returns the bodies. */
export const readAutomation = async (
  workspaceIds: ReadonlyArray<string>,
  read: (path: string) => Promise<Received | null>,
  pages: (path: string) => Promise<ReadonlyArray<unknown>>
): Promise<void> => {
  for (const workspaceId of workspaceIds) {
    const found = await pages(`/admin/v1/workflow-runs?workspace_id=${workspaceId}&limit=100`)
    const ids = found.flatMap((body) => listAt(body, "data").map((run) => textAt(run, "id")))
    for (const id of ids) await read(`/admin/v1/workflow-runs/${id}`)
    await pages(`/admin/v1/tasks?workspace_id=${workspaceId}&limit=100`)
  }
}
