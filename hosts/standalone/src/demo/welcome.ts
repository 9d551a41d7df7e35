import type { DemoFile } from "./DemoFile.js"
import { demoTemplate } from "./makeDemo.js"

/** A command that sends a first message: one line for any POSIX shell. */
export const firstMessage = ({ api_key, base_url }: DemoFile): string => {
  const body = {
    channel: demoTemplate.channel,
    to: "+15550123456",
    type: "template",
    message: { template: demoTemplate.name, language: demoTemplate.language, variables: ["Ada", "A-1001"] }
  }
  const headers = [
    `Authorization: Bearer ${api_key}`,
    "Content-Type: application/json",
    `Idempotency-Key: first-message-${Date.now()}`
  ]
  return `curl -i ${base_url}/api/v1/messages ${headers.map((header) => `-H '${header}'`).join(" ")} -d '${JSON.stringify(body)}'`
}

/** The text that is printed when the demo starts. `loopback`: whether webhooks may be sent to this machine. */
export const welcome = (file: DemoFile, path: string, loopback: boolean): string =>
  [
    "",
    "Parley is running its demo. Its connections are sandboxes: no message is sent to a real person.",
    "",
    `    API key      ${file.api_key}`,
    `    Public API   ${file.base_url}/api/v1, shown at ${file.base_url}/api/v1/docs`,
    `    Admin API    ${file.base_url}/admin/v1`,
    `    All of this  ${path}`,
    "",
    "  Paste this into another terminal to send a first message:",
    "",
    `  ${firstMessage(file)}`,
    "",
    ...(loopback ? webhooksHere : [])
  ].join("\n")

const webhooksHere = [
  "  To watch its webhooks arrive, start this in a third one first:",
  "",
  "  npm run --silent parley -- endpoint listen",
  "",
  "  Because this is the demo, webhooks may go to this machine (127.0.0.0/8, ::1, localhost), over http too.",
  ""
]
