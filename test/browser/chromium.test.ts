import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchChromium } from './chromium.ts'

test('there is a browser, brought by npm or by the system, with a font to write in', async () => {
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    await page.setContent('<h1>Slots</h1>')
    assert.equal(await page.textContent('h1'), 'Slots')
    const { height } = (await page.locator('h1').boundingBox()) ?? assert.fail('it must be laid out')
    assert.ok(height > 10, `${height}`)
  } finally {
    await browser.close()
  }
})
