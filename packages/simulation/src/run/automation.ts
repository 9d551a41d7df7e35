import { Effect } from "effect"
import type { Outside, Received } from "./Outside.js"

/** Name of the business event that starts the workflows. */
const eventName = "order.shipped"

/** The body of an order's event. The same order has the same `dedupe_key`. */
export const bodyOfOrder = (application: string, contactId: string, order: number) => ({
  event: eventName,
  contact_id: contactId,
  dedupe_key: `order ${order}`,
  data: { order: `${order} of ${application}` }
})

/** The workflows of a history, the events that start them, and readings of their runs. */
export interface Automation {
  /** Publishes a workflow that waits, sends a message, waits again and creates a task. `wait`: such as `30s`. */
  readonly publish: (workspaceId: string, wait: string) => Effect.Effect<void>
  /** Sends the event of an order, with another idempotency key each time. */
  readonly order: (application: string, body: ReturnType<typeof bodyOfOrder>) => Effect.Effect<void>
  /** Reads the newest runs of a workspace. */
  readonly readRuns: (workspaceId: string) => Effect.Effect<void>
  /** Reads all runs and tasks of the workspaces that have workflows. */
  readonly readAll: Effect.Effect<void>
}

interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly links: { readonly next: string | null }
}

const newestRuns = 3

/** `read`: a GET of an administrator that waits for the rate limit. `number`: unique numbers. */
export const makeAutomation = (
  { request }: Outside,
  read: (path: string) => Effect.Effect<Received | null>,
  number: () => number
): Automation => {
  const automated = new Set<string>()

  const pages = (path: string): Effect.Effect<ReadonlyArray<string>> =>
    Effect.flatMap(read(path), (received) => {
      if (received?.status !== 200) return Effect.succeed([])
      const { data, links } = received.body as Page
      const ids = data.map(({ id }) => id)
      if (links.next === null) return Effect.succeed(ids)
      return Effect.map(pages(links.next.slice(links.next.indexOf("/admin/v1"))), (more) => [...ids, ...more])
    })
  const readRun = (id: string) => read(`/admin/v1/workflow-runs/${id}`)

  return {
    publish: (workspaceId, wait) =>
      Effect.gen(function* () {
        const body = {
          workspace_id: workspaceId,
          name: "Order shipped",
          trigger: { type: "external_event", event: eventName },
          actions: [
            { type: "wait", for: wait },
            { type: "send_message", channel: "preferred", body: "Shipped: {{data.order}}", on_error: "continue" },
            { type: "wait", for: "1s" },
            { type: "create_task", title: "Call about {{data.order}}" }
          ]
        }
        automated.add(workspaceId)
        const made = yield* request("administrator", "POST", "/admin/v1/workflows", { body })
        if (made?.status !== 201) return
        const { id } = (made.body as { readonly data: { readonly id: string } }).data
        yield* request("administrator", "POST", `/admin/v1/workflows/${id}/publish`)
      }),
    order: (application, body) =>
      Effect.asVoid(
        request(application, "POST", "/api/v1/events", {
          idempotencyKey: `event-${number()}`,
          body
        })
      ),
    readRuns: (workspaceId) =>
      Effect.gen(function* () {
        const path = `/admin/v1/workflow-runs?workspace_id=${workspaceId}&limit=${newestRuns}`
        const received = yield* request("administrator", "GET", path)
        if (received?.status !== 200) return
        for (const { id } of (received.body as Page).data) {
          yield* request("administrator", "GET", `/admin/v1/workflow-runs/${id}`)
        }
      }),
    readAll: Effect.gen(function* () {
      for (const workspaceId of automated) {
        const ids = yield* pages(`/admin/v1/workflow-runs?workspace_id=${workspaceId}&limit=100`)
        yield* Effect.forEach(ids, readRun, { discard: true })
        yield* pages(`/admin/v1/tasks?workspace_id=${workspaceId}&limit=100`)
      }
    })
  }
}
