import { readFileSync } from "node:fs"
import { exitCodes } from "./commands/exitCodes.js"
import { pagesOfJson, requestedPage } from "./commands/requestedPage.js"

/** Prints the page that these words ask for, and returns whether they ask for one. */
export const printPage = (message: ReadonlyArray<string>): boolean => {
  const page = requestedPage(pagesOfJson(readFileSync(new URL("./pages.json", import.meta.url), "utf8")), message)
  if (page === null) return false
  // The reader closed the pipe, as `head` does.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) =>
    process.exit(code === "EPIPE" ? exitCodes.done : exitCodes.failed)
  )
  console.log(page)
  return true
}
