const pageOf = (content: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Unsubscribe</title>
<style>body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 30rem; margin: 20vh auto; padding: 0 1rem }
button { font: inherit; padding: 0.5rem 1rem }</style>
${content}
</html>
`

/** The page of an unsubscribe link. The form posts to the link itself. */
export const askingPage = pageOf(`<h1>Unsubscribe</h1>
<p>Do you want no more messages from this sender?</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>Unsubscribe</button></form>`)

/** The page after the form was posted. */
export const donePage = pageOf(`<h1>Done</h1>
<p>You will get no more messages from this sender.</p>`)
