import { type Action, type ActionKind, changes, expect, row, Storage, set } from "@parley/core"
import { aContact, aPipeline, aRun, aWorkflow, aWorkflowVersion } from "@parley/testkit/rows"
import { Effect } from "effect"
import { type Store, storageOf } from "./Store.js"
import { applicationId, endpointId, seed, workspaceId } from "./seed.js"

const id = (kind: number, n: number) => `01900000-0000-7000-81${kind}0-${n.toString(16).padStart(12, "0")}`

const action = (kind: ActionKind): Action => ({ ...kind, name: null, if: null, onError: "stop" })
const addTag = action({ type: "add_tag", tag: "{{data.order.kind}}" })

/** Three actions that create no further jobs. */
const threeLocal: ReadonlyArray<Action> = [
  addTag,
  action({
    type: "create_task",
    title: "Call {{contact.first_name}} about {{data.order.id}}",
    dueInMs: 86_400_000,
    agentId: null,
    teamId: null
  }),
  action({
    type: "create_lead",
    pipelineId: null,
    stage: null,
    title: "Order {{data.order.id}}",
    value: "{{data.order.total}}",
    currency: "EUR"
  })
]

const published = (n: number, eventName: string, actions: ReadonlyArray<Action>) => {
  const definition = { conditions: null, actions }
  const workflow = aWorkflow({
    id: id(1, n),
    workspaceId,
    eventName,
    definition,
    versionId: id(2, n),
    versions: 1,
    edited: false
  })
  return { workflow, version: aWorkflowVersion({ id: id(2, n), workspaceId, workflowId: workflow.id, definition }) }
}

/** Three local actions. */
const ordering = published(1, "order.shipped", threeLocal)
/** A wait, then one action. */
const waiting = published(2, "cart.abandoned", [action({ type: "wait", forMs: 3_600_000 }), addTag])

/** A database with one workspace and workflows, without webhook endpoints. */
export const seedAutomations = async (store: Store): Promise<void> => {
  await seed(store, { verdictWaitMs: 0, webhookUrl: "http://127.0.0.1/" })
  const automate = changes(workspaceId, {
    expects: [expect("endpoints", { id: endpointId })],
    sets: [set("endpoints", { id: endpointId }, { status: "disabled" })],
    inserts: [
      row("pipelines", aPipeline({ id: id(3, 1), workspaceId })),
      ...[ordering, waiting].flatMap(({ version, workflow }) => [
        row("workflows", workflow),
        row("workflowVersions", version)
      ])
    ]
  })
  await Effect.flatMap(Storage, (storage) => storage.commit(automate)).pipe(
    Effect.provide(storageOf(store)),
    Effect.runPromise
  )
}

/** The body of the `POST /events` about an order, the n-th. */
export const orderShipped = (contactId: string, orderId: string, n: number) => ({
  event: ordering.workflow.eventName,
  contact_id: contactId,
  dedupe_key: `order ${orderId}`,
  data: { order: { id: orderId, kind: `kind ${n % 100}`, total: 129.5, lines: [{ title: "A pair of shoes" }] } }
})

/** A new contact without any activity, as the rules store it. */
export const newContact = (contactId: string, n: number) => {
  const handle = `+4917${String(n).padStart(9, "0")}`
  return aContact({
    id: contactId,
    workspaceId,
    phone: handle,
    identities: (["whatsapp", "phone"] as const).map((channel) => ({ channel, handle, displayName: null })),
    searchKey: `ada byron\n${handle}`
  })
}

/** A run that waits until this time, and its job. */
export const waitingRun = (runId: string, contactId: string, until: number) => {
  const { version, workflow } = waiting
  const now = Date.now()
  const run = aRun({
    id: runId,
    workspaceId,
    workflowId: workflow.id,
    versionId: version.id,
    applicationId,
    contactId,
    eventName: workflow.eventName,
    data: { order: { kind: "left in the cart" } },
    status: "waiting",
    pending: { startedAt: now, attempts: 1, messageId: null, until },
    createdAt: now
  })
  const job = {
    id: runId,
    workspaceId,
    lane: "runs" as const,
    subject: workflow.id,
    reference: runId,
    payload: { task: "advance_run", contactId, versionId: version.id, settled: 1 },
    runAt: until,
    leaseUntil: 0,
    leaseOwner: null,
    epoch: now,
    attempts: 1,
    failure: null,
    createdAt: now
  }
  return [row("workflowRuns", run), row("jobs", job)]
}
