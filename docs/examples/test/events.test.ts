import { expect, it, vi } from "@effect/vitest"
import { createParley, type Parley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { auditWorkspace } from "../audit.js"
import { printReceived } from "../events.js"
import { firstKey } from "../firstKey.js"
import { keepTranscripts } from "../transcripts.js"

const withShop = async (
  test: (
    parley: Parley,
    application: string,
    write: (body: string) => Promise<unknown>,
    workspace: string
  ) => Promise<void>
) => {
  const parley = await createParley({
    storage: { url: "sqlite::memory:" },
    channels: [sandbox()],
    logLevel: "warn"
  })
  try {
    await firstKey(parley)
    const first = async (path: string) =>
      (await parley.admin.request<{ data: ReadonlyArray<{ id: string }> }>("GET", path)).data[0]?.id as string
    const workspace = await first("/workspaces")
    const application = await first(`/applications?workspace_id=${workspace}`)
    const connection = await first(`/connections?workspace_id=${workspace}`)
    const write = (body: string) =>
      parley.admin.request("POST", `/connections/${connection}/simulate-inbound`, { from: "ada@example.com", body })
    await test(parley, application, write, workspace)
  } finally {
    await parley.close()
  }
}

it("the example prints what customers write", () =>
  withShop(async (parley, application, write) => {
    const lines: Array<string> = []
    await printReceived(parley, application, (line) => lines.push(line))
    await write("Where is my order?")
    await vi.waitFor(() => expect(lines).toEqual(["received: Where is my order?"]), { timeout: 60_000 })
  }))

it("the example keeps the messages of a conversation in their order", () =>
  withShop(async (parley, application, write) => {
    const kept = new Map<string, Array<string>>()
    await keepTranscripts(parley, application, async (conversation, line) => {
      kept.set(conversation, [...(kept.get(conversation) ?? []), line])
    })
    for (const body of ["One", "Two", "Three"]) await write(body)
    await vi.waitFor(() => expect([...kept.values()]).toEqual([["inbound: One", "inbound: Two", "inbound: Three"]]), {
      timeout: 60_000
    })
  }))

it("the example reports the events of a workspace", () =>
  withShop(async (parley, _, write, workspace) => {
    const lines: Array<string> = []
    await auditWorkspace(parley, workspace, (line) => lines.push(line))
    await write("Where is my order?")
    await vi.waitFor(() => expect(lines).toContain("message.received of the workspace"), { timeout: 60_000 })
  }))
