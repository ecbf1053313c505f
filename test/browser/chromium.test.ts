import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchChromium } from './chromium.ts'

test('there is a browser, brought by npm or by the system', async () => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Slots</h1>')
    assert.equal(await page.textContent('h1'), 'Slots')
  } finally {
    await browser.close()
  }
})
