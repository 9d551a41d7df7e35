import { aContact, aPipeline, aWorkflow, aWorkflowVersion } from "@parley/testkit"
import { Clock, Effect, Layer } from "effect"
import { fingerprint } from "../../src/access/fingerprint.js"
import type { Contact } from "../../src/contacts/Contact.js"
import * as FeedNews from "../../src/conversations/FeedNews.js"
import { changes, expect as expected, row, type Tables } from "../../src/ports/Changes.js"
import { Ids } from "../../src/ports/Ids.js"
import { lookup, readById, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"
import * as Sends from "../../src/sends/Sends.js"
import * as Verdicts from "../../src/sends/Verdicts.js"
import { leaseMs } from "../../src/worker/Dispatcher.js"
import { businessEventDraft } from "../../src/workflows/BusinessEventInput.js"
import { BusinessEvents } from "../../src/workflows/BusinessEvents.js"
import type { Action, ActionKind } from "../../src/workflows/definition/Action.js"
import type { Run } from "../../src/workflows/runs/Run.js"
import * as Runs from "../../src/workflows/runs/Runs.js"
import type { Definition } from "../../src/workflows/Workflow.js"
import { engine, type Tenant } from "../harness.js"

/** An engine without a worker, and what carries runs on: a test claims and runs their jobs itself. */
export const runDesk = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(Runs.layer, Layer.provide(Sends.layer, Layer.merge(Verdicts.layer, FeedNews.layer))).pipe(
    Layer.provideMerge(engine(storage))
  )

/** An action with what it leaves out. */
export const anAction = (action: ActionKind, more: Partial<Pick<Action, "name" | "if" | "onError">> = {}): Action => ({
  name: null,
  if: null,
  onError: "stop",
  ...action,
  ...more
})

/** A contact of the tenant, with a WhatsApp number of its own. */
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

/** A published workflow that an event of its own starts. */
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

/** Tells of an event; answers how many workflows it matched. */
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
      draft: businessEventDraft(json),
      idempotency: { key, fingerprint: fingerprint("POST", "/events", json) }
    })
    return JSON.parse(answer.body).data.workflows_matched as number
  })

/** Carries on every run of the tenant whose job is due, all at once, then makes the calls; answers what each came to. */
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
    return yield* Effect.forEach(mine, (job) => Effect.exit(runs.advance(job)), { concurrency: "unbounded" })
  })

/** What there is of a kind in the tenant's workspace, oldest first. */
export const rowsOf = <T extends "workflowRuns" | "messages" | "tasks" | "leads" | "events" | "notifications">(
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

/** The id of a pipeline with these stages. */
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

/** Does the tenant's due work of a lane as a worker would, and waits until it is done. */
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
