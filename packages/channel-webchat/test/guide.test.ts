import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { customerSignature } from "../src/index.js"

const guide = readFileSync(new URL("../../../docs/channels/webchat.md", import.meta.url), "utf8")
const [, secret = "", customer = "", expected = ""] =
  /the secret `([^`]+)` the customer `([^`]+)` has the signature\n`([0-9a-f]{64})`/.exec(guide) ?? []
const code = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(guide)?.[1] ?? `no ${language}`

const programs: ReadonlyArray<readonly [language: string, command: string, flag: string, print: string]> = [
  ["js", process.execPath, "-e", "process.stdout.write(signature(SECRET, CUSTOMER))"],
  ["python", "python3", "-c", "print(signature(SECRET, CUSTOMER), end='')"],
  ["php", "php", "-r", "echo signature(SECRET, CUSTOMER);"]
]

describe("the guide's signature of a customer", () => {
  it("equals that of the provider", () => {
    expect(customerSignature(secret, customer)).toBe(expected)
  })

  for (const [language, command, flag, print] of programs) {
    const isThere = spawnSync(command, ["--version"]).status === 0
    it.skipIf(!isThere)(`comes out in ${language}${isThere ? "" : ` (skipped: install ${command})`}`, () => {
      const call = print.replace("SECRET", JSON.stringify(secret)).replace("CUSTOMER", JSON.stringify(customer))
      const { stdout, stderr } = spawnSync(command, [flag, `${code(language)}\n${call}`], { encoding: "utf8" })
      expect([stdout, stderr]).toEqual([expected, ""])
    })
  }
})
