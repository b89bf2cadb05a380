// The skills of a server: a section where it has them, and a check of each file against its entry.
import { expect, test } from './inspector.ts';
import { openSection, pick, sectionButton } from './sections.ts';

test('skills are listed and checked: digest, size, front matter, and what is missing', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('skills');
  await inspector.connect(server.url);
  await openSection(page, 'Skills');
  const list = page.getByRole('list', { name: 'Skills', exact: true });
  await expect(list.getByRole('listitem')).toHaveCount(6);
  await expect(page.getByRole('list', { name: 'Invalid entries' })).toContainText(
    'skill://other-name/SKILL.md',
  );

  await page.getByRole('button', { name: 'Check all skills' }).click();
  const verdicts = {
    'countdown-guide': 'verified',
    'wrong-digest': 'digest differs from the entry',
    'wrong-size': 'size differs from the entry',
    'wrong-front-matter': 'front matter differs from the entry',
    'missing-file': 'can’t be read',
    dynamic: 'not verifiable (dynamic)',
  };
  for (const [name, verdict] of Object.entries(verdicts)) {
    await pick(page, 'Skills', name);
    const skill = page.getByRole('region', { name, exact: true });
    await expect(skill.getByRole('table', { name: 'Files' })).toContainText(verdict);
    await expect(skill.getByRole('status')).toHaveText(
      { 'countdown-guide': 'All files match the entry.', dynamic: 'All files can be read.' }[name] ??
        'Hosts must not load this skill.',
    );
  }
  await pick(page, 'Skills', 'countdown-guide');
  await expect(page.getByRole('region', { name: 'countdown-guide' })).toContainText(
    'Call countdown, and reload',
  );
});

test('a server without skills has no such section', async ({ inspector, target }) => {
  const { page } = inspector;
  await inspector.connect((await target('resumable')).url);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect(await sectionButton(page, 'Interface')).toBeVisible();
  await expect(sections.getByRole('button', { name: 'Skills' })).toBeHidden();
});
