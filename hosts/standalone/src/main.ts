#!/usr/bin/env node
// Imports nothing before the check: an older Node would report the first module that it cannot load.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or later. This is ${process.versions.node}: see https://nodejs.org`)
  process.exit(1)
}
await import("./wholeWrites.js")
// Pages load none of the code of the commands.
const { printPage } = await import("./printPage.js")
if (!printPage(process.argv.slice(2))) await import("./command.js")

export {}
