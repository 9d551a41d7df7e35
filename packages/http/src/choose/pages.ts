import type { LinkedQuestion } from "@parley/core"

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** The words are those of the business, whose language is not known here. */
const pageOf = (title: string, content: string): string => `<!doctype html>
<html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 15vh auto; padding: 0 1rem }
h1 { font-size: 1.3rem; white-space: pre-line; overflow-wrap: anywhere }
button { font: inherit; display: block; width: 100%; margin: 0.5rem 0; padding: 0.6rem 1rem; text-align: start }
small { display: block }</style>
${content}
</html>
`

/** The page of a link: the question, and a button for each option. The form posts to the link itself. */
export const questionPage = ({ body, options }: LinkedQuestion): string =>
  pageOf(
    body,
    `<h1 dir="auto">${escaped(body)}</h1>
<form method="post">
${options
  .map(({ description, title }, index) => {
    const second = description === null || description === "" ? "" : `<small>${escaped(description)}</small>`
    return `<button name="option" value="${index + 1}" dir="auto">${escaped(title)}${second}</button>`
  })
  .join("\n")}
</form>`
  )

/** The page after an option was chosen. */
export const chosenPage = (title: string): string => pageOf(title, `<h1 dir="auto">✓ ${escaped(title)}</h1>`)

/** The page of a link that was not given out here, or whose question was deleted. */
export const unknownPage = pageOf("404", `<h1 lang="en">This link is not valid, or no longer.</h1>`)
