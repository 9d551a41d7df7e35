import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeAll, describe, expect, it } from "vitest"
import { audit } from "../src/audit/audit.js"
import type { Journal } from "../src/audit/Journal.js"
import { chaosStory } from "../src/chaos/chaosStory.js"
import { runChaos } from "../src/chaos/runChaos.js"

const buildHost = fileURLToPath(new URL("../../../hosts/standalone/bundle.mjs", import.meta.url))

describe("two hosts on a Postgres, one of which is killed and whose connections are cut", () => {
  let journal: Journal = []

  beforeAll(async () => {
    expect(spawnSync(process.execPath, [buildHost], { stdio: ["ignore", 2, 2] }).status).toBe(0)
    const folder = mkdtempSync(join(tmpdir(), "parley-chaos-"))
    try {
      journal = await runChaos({
        seed: 1,
        ms: 10_000,
        hosts: 2,
        actionsPerSecond: 8,
        faults: ["kill", "cut"],
        quietMs: { min: 0, max: 120_000 },
        folder,
        faketime: null,
        progress: () => {}
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  const messagesSent = (): ReadonlySet<string> =>
    new Set(
      journal.flatMap((entry) =>
        entry.kind === "webhook" && entry.headers["x-event-type"] === "message.sent"
          ? [JSON.parse(entry.body).data.message.id as string]
          : []
      )
    )

  it("keep all promises", () => {
    const violations = audit(journal)
    expect(violations, chaosStory(journal, violations)).toEqual([])
    expect(journal.some(({ kind }) => kind === "fault")).toBe(true)
    expect(messagesSent().size).toBeGreaterThan(0)
  })

  it("fail the audit if a hand-over is missing in the journal", () => {
    const [id] = messagesSent()
    const without = journal.filter((entry) => entry.kind !== "hand-over" || entry.messageId !== id)
    expect(audit(without).map(({ promise }) => promise)).toContain("status-has-a-cause")
  })
})
