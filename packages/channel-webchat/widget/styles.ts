/** A constructed style sheet, because a site's Content-Security-Policy may forbid style elements. */
export const styles = (): CSSStyleSheet => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
:host { all: initial; color-scheme: light dark; --back: #fff; --front: #1f1f1f; --soft: #eef0f2; --muted: #595959; --line: #767676; --edge: #d5d7da; --alert: #b3001b; --alert-back: #fdecee; --note: #4d3b00; --note-back: #fff4d6; }
@media (prefers-color-scheme: dark) {
  :host { --back: #1b1c1e; --front: #ececec; --soft: #303236; --muted: #b4b8be; --line: #8c9096; --edge: #3c3f44; --alert: #ff9ca8; --alert-back: #3d1a1f; --note: #ffe08a; --note-back: #3a3000; }
}
* { box-sizing: border-box; font: 15px/1.4 system-ui, sans-serif; }
[hidden] { display: none !important; }
button { cursor: pointer; border: 0; background: none; color: inherit; padding: 0; }
:focus-visible { outline: 2px solid #000; outline-offset: 2px; box-shadow: 0 0 0 2px #fff; }
svg { display: block; width: 24px; height: 24px; fill: currentColor; }
.listened { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.launcher, header, .send { background: var(--accent); color: var(--on-accent); }
.launcher, .panel { position: fixed; z-index: 2147483000; inset-inline-end: 20px; bottom: 20px; box-shadow: 0 4px 16px #0004; }
.launcher { display: grid; place-items: center; width: 56px; height: 56px; border-radius: 28px; }
.unread { position: absolute; top: -4px; inset-inline-end: -4px; min-width: 22px; padding: 0 6px; border-radius: 11px; background: #b3001b; color: #fff; font-size: 13px; line-height: 22px; text-align: center; }
.panel { display: flex; flex-direction: column; width: 360px; height: min(560px, calc(100vh - 40px)); border-radius: 12px; overflow: hidden; background: var(--back); color: var(--front); }
header { display: flex; align-items: center; justify-content: space-between; padding: 12px 16px; }
h2 { margin: 0; font-weight: 600; font-size: 16px; overflow-wrap: anywhere; }
.log { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 12px 16px; }
.earlier { display: block; margin: 0 auto 12px; text-decoration: underline; }
.message { display: flex; flex-direction: column; align-items: flex-start; margin-bottom: 10px; }
.message p { margin: 0; max-width: 85%; padding: 8px 12px; border-radius: 12px; background: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.own { align-items: flex-end; }
.own p { background: var(--accent); color: var(--on-accent); }
.message { position: relative; }
blockquote { margin: 0 0 2px; max-width: 85%; padding-inline-start: 8px; border-inline-start: 3px solid var(--line); color: var(--muted); font-size: 13px; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; }
.reply { position: absolute; inset-block-start: 0; inset-inline-end: 0; padding: 4px; border-radius: 8px; color: var(--muted); opacity: 0; }
.reply svg { width: 20px; height: 20px; }
:host([dir="rtl"]) .reply svg { transform: scaleX(-1); }
.message:hover .reply, .reply:focus-visible { opacity: 1; }
@media (hover: none) { .reply { opacity: 1; } }
.answering { display: flex; align-items: flex-start; justify-content: space-between; gap: 8px; padding: 8px 12px 0; border-top: 1px solid var(--edge); }
.answering:not([hidden]) + form { border-top: 0; }
.message a { color: inherit; text-decoration: underline; }
.options { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 6px; max-width: 100%; }
.option { padding: 6px 12px; border: 1px solid var(--muted); border-radius: 16px; background: var(--back); color: var(--front); text-align: start; overflow-wrap: anywhere; }
.option small { display: block; color: var(--muted); font-size: 13px; }
.option:disabled { cursor: default; border-color: var(--edge); color: var(--muted); }
.files { display: flex; flex-direction: column; gap: 6px; max-width: 85%; }
.own .files { align-items: flex-end; }
.file { max-width: 100%; padding: 8px 12px; border: 1px solid var(--muted); border-radius: 12px; overflow-wrap: anywhere; }
.file:has(img) { padding: 0; border: 0; }
img { display: block; width: 220px; max-width: 100%; height: 160px; object-fit: cover; border-radius: 12px; background: var(--soft); }
.files + p { margin-top: 6px; }
.agent { margin-bottom: 2px; color: var(--muted); font-size: 12px; font-weight: 600; }
.agent { display: flex; align-items: center; gap: 6px; }
.agent bdi { font: inherit; }
.avatar { display: grid; place-items: center; width: 24px; height: 24px; border-radius: 12px; background: var(--soft); color: var(--front); font-size: 11px; font-weight: 600; }
.avatar img { width: 24px; height: 24px; border-radius: 12px; }
.emojis { display: grid; grid-template-columns: repeat(8, 1fr); gap: 2px; padding: 8px 12px 0; }
.emojis button { height: 36px; border-radius: 8px; font-size: 20px; }
.emojis button:hover { background: var(--soft); }
.typing { padding: 4px 16px; color: var(--muted); font-size: 13px; }
.note, time { font-size: 12px; color: var(--muted); }
.joined { margin-bottom: 3px; }
.joined time, .follows .agent { display: none; }
.note button { color: var(--alert); font-size: 12px; text-decoration: underline; }
.connection { padding: 4px 16px; background: var(--note-back); color: var(--note); font-size: 13px; }
.refusal { padding: 4px 16px; background: var(--alert-back); color: var(--alert); font-size: 13px; white-space: pre-line; overflow-wrap: anywhere; }
form { display: flex; gap: 8px; padding: 12px; border-top: 1px solid var(--edge); }
textarea { flex: 1; min-width: 0; min-height: 40px; max-height: 120px; resize: none; field-sizing: content; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: inherit; font-size: 16px; }
textarea::placeholder { color: var(--muted); }
.introduction { flex-direction: column; }
label { display: block; font-size: 13px; }
input { display: block; width: 100%; min-height: 40px; margin-top: 2px; padding: 8px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: inherit; font-size: 16px; }
.attach, .emoji { align-self: flex-end; display: grid; place-items: center; width: 32px; height: 40px; color: var(--muted); }
.send { align-self: flex-end; min-width: 40px; height: 40px; padding: 0 14px; border-radius: 8px; }
@media (max-width: 480px) {
  .emoji { display: none; }
  .panel { inset: var(--top, 0) 0 auto; width: auto; height: var(--height, 100dvh); border-radius: 0; }
  form { padding-bottom: max(12px, env(safe-area-inset-bottom)); }
}`)
  return sheet
}
