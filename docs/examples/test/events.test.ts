import { expect, it, vi } from "@effect/vitest"
import { createParley, type Parley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { printReceived } from "../events.js"
import { firstKey } from "../firstKey.js"
import { keepTranscripts } from "../transcripts.js"

const withShop = async (
  test: (parley: Parley, application: string, write: (body: string) => Promise<unknown>) => Promise<void>
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
    await test(parley, application, (body) =>
      parley.admin.request("POST", `/connections/${connection}/simulate-inbound`, { from: "ada@example.com", body })
    )
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
