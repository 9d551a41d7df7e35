import { aContact, aPipeline, aWorkflow, aWorkflowVersion } from "@parley/testkit/rows"
import { Clock, Effect, Layer } from "effect"
import * as Sends from "../../../src/flows/sends/Sends.js"
import { decodeBusinessEventInput } from "../../../src/flows/workflows/BusinessEventInput.js"
import { BusinessEvents } from "../../../src/flows/workflows/BusinessEvents.js"
import * as Runs from "../../../src/flows/workflows/runs/Runs.js"
import type { Action, ActionKind } from "../../../src/model/Action.js"
import type { Contact } from "../../../src/model/Contact.js"
import type { Run } from "../../../src/model/Run.js"
import type { Definition } from "../../../src/model/Workflow.js"
import { changes, expect as expected, row, type Tables } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { fingerprint } from "../../../src/resources/access/fingerprint.js"
import * as FeedUpdates from "../../../src/resources/conversations/FeedUpdates.js"
import * as Verdicts from "../../../src/resources/messages/Verdicts.js"
import { engine, type Tenant } from "../../harness.js"

/** An engine without a worker, with the services that execute runs: tests claim and run the jobs themselves. */
export const runDesk = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(
    Layer.effect(Runs.Runs, Runs.make),
    Layer.provide(
      Layer.effect(Sends.Sends, Sends.make),
      Layer.merge(
        Layer.effect(Verdicts.Verdicts, Verdicts.make),
        Layer.scoped(FeedUpdates.FeedUpdates, FeedUpdates.make)
      )
    )
  ).pipe(Layer.provideMerge(engine(storage)))

/** An action with defaults for its common fields. */
export const anAction = (action: ActionKind, more: Partial<Pick<Action, "name" | "if" | "onError">> = {}): Action => ({
  name: null,
  if: null,
  onError: "stop",
  ...action,
  ...more
})

/** A contact of the tenant with its own WhatsApp number. */
export const newContact = (tenant: Tenant, given: Partial<Contact> = {}) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const id = ids.next(1_700_000_000_000)
    const handle = `+49${BigInt(`0x${id.replaceAll("-", "").slice(20)}`) % 10_000_000_000_000n}`
    const contact = aContact({
      id,
      workspaceId: tenant.workspace.id,
      firstName: "Ada",
      email: null,
      phone: null,
      tags: [],
      identities: [{ channel: "whatsapp", handle, displayName: null }],
      ...given
    })
    const address = { workspaceId: tenant.workspace.id, space: "phone" as const, handle, contactId: id }
    yield* (yield* Storage).commit(
      changes(tenant.workspace.id, { claims: [row("addresses", address)], inserts: [row("contacts", contact)] })
    )
    return contact
  })

/** A published workflow with its own event name. */
export const newWorkflow = (
  tenant: Tenant,
  actions: ReadonlyArray<Action>,
  conditions: Definition["conditions"] = null
) =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const workspaceId = tenant.workspace.id
    const [id, versionId] = [ids.next(1_700_000_000_000), ids.next(1_700_000_000_000)]
    const definition = { conditions, actions }
    const workflow = aWorkflow({
      id,
      workspaceId,
      eventName: `event ${id}`,
      definition,
      versionId,
      versions: 1,
      edited: false,
      secret: "whsec_workflow"
    })
    yield* (yield* Storage).commit(
      changes(workspaceId, {
        expects: [expected("workspaces", { id: workspaceId })],
        inserts: [
          row("workflows", workflow),
          row("workflowVersions", aWorkflowVersion({ id: versionId, workspaceId, workflowId: id, definition }))
        ]
      })
    )
    return workflow
  })

/** Records an event. Returns the number of matching workflows. */
export const happens = (
  tenant: Tenant,
  event: string,
  contact: Contact,
  key: string,
  more: { readonly data?: object; readonly dedupe_key?: string } = {}
) =>
  Effect.gen(function* () {
    const json = { event, contact_id: contact.id, ...more }
    const answer = yield* (yield* BusinessEvents).record(tenant.caller, {
      decoded: decodeBusinessEventInput(json),
      idempotency: { key, fingerprint: fingerprint("POST", "/events", json) }
    })
    return JSON.parse(answer.body).data.workflows_matched as number
  })

/** Executes all due runs of the tenant concurrently, then the webhook calls. Returns the exit of each. */
export const runDue = (tenant: Tenant) =>
  Effect.zipWith(advanceDue(tenant, "runs"), advanceDue(tenant, "calls"), (runs, calls) => [...runs, ...calls])

const advanceDue = (tenant: Tenant, lane: "runs" | "calls") =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const runs = yield* Runs.Runs
    const now = yield* Clock.currentTimeMillis
    const { jobs } = yield* storage.claimJobs({
      now,
      owner: "test",
      leaseMs,
      lanes: [{ lane, limit: 1_000, perSubject: 1_000, except: [] }]
    })
    const mine = jobs.filter(({ workspaceId }) => workspaceId === tenant.workspace.id)
    const advances = yield* runs.advance(mine)
    return yield* Effect.forEach(advances, Effect.exit, { concurrency: "unbounded" })
  })

/** The rows of a table in the tenant's workspace, oldest first. */
export const rowsOf = <
  T extends "workflowRuns" | "messages" | "tasks" | "leads" | "events" | "notifications" | "attachedFiles"
>(
  tenant: Tenant,
  from: T
) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.list({ from, where: { workspaceId: tenant.workspace.id } as object, after: null, limit: 1_000 }),
      (rows) => [...rows].reverse() as ReadonlyArray<Tables[T]>
    )
  )

export const onlyRun = (tenant: Tenant) => Effect.map(rowsOf(tenant, "workflowRuns"), ([run]) => run as Run)

export const jobOf = (run: Run) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.read({ jobs: lookup("jobs", { id: run.id }) }), ({ jobs }) => jobs[0])
  )

export const contactNow = (contact: Contact) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(readById(storage, "contacts", contact.id), (found) => found as Contact)
  )

/** Creates a pipeline with these stages. Returns its id. */
export const newPipeline = (tenant: Tenant, stages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const workspaceId = tenant.workspace.id
    const id = (yield* Ids).next(1_700_000_000_000)
    const pipeline = aPipeline({ id, workspaceId, stages: stages.map((key) => ({ key, name: key })) })
    yield* (yield* Storage).commit(
      changes(workspaceId, {
        expects: [expected("workspaces", { id: workspaceId })],
        inserts: [row("pipelines", pipeline)]
      })
    )
    return id
  })

/** Runs the tenant's due jobs of a lane like a worker, until they end. */
export const workDue = (tenant: Tenant, lane: "sends") =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const sends = yield* Sends.Sends
    const now = yield* Clock.currentTimeMillis
    const { jobs } = yield* storage.claimJobs({
      now,
      owner: "test",
      leaseMs,
      lanes: [{ lane, limit: 1_000, perSubject: 1_000, except: [] }]
    })
    yield* Effect.forEach(
      jobs.filter(({ workspaceId }) => workspaceId === tenant.workspace.id),
      sends.handOver
    )
  })
