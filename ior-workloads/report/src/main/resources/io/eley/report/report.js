'use strict';
(function () {
  const report = JSON.parse(document.getElementById('report-data').textContent);
  const MIB = 1048576;
  const MODES = { HPCAlone: '--alone', NaiveBB: '--naive', NoAction: '--noaction', FullDelay: '--fulldelay' };
  const CAUSES = { PREFETCH: '--prefetch', DEMAND: '--demand', DIRECT: '--direct', FALLBACK: '--fallback', READ_AHEAD: '--readahead' };
  const PLOT_HEIGHT = 250;
  const charts = [];
  const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const label = mode => mode === 'HPCAlone' ? 'HPC alone' : mode;
  const fixed = (value, digits) => value == null ? '–' : value.toFixed(digits);
  const signed = value => (value < 0 ? '−' : '+') + Math.abs(value).toFixed(0) + ' %';
  const mean = values => values.reduce((a, b) => a + b, 0) / values.length;
  const workloads = [...new Set(report.runs.map(r => r.workload))];
  const modes = Object.keys(MODES).filter(m => report.runs.some(r => r.mode === m));
  const run = (mode, workload) => report.runs.find(r => r.mode === mode && r.workload === workload);
  const counted = r => r ? r.phases.filter(p => p.duringMap) : [];
  const font = getComputedStyle(document.body).fontFamily;

  function base() {
    return {
      animation: false,
      textStyle: { fontFamily: font, color: color('--ink') },
      aria: { enabled: true },
      tooltip: {
        confine: true, backgroundColor: color('--card'), borderColor: color('--line'),
        textStyle: { color: color('--ink'), fontFamily: font, fontSize: 13 }
      }
    };
  }

  function axisStyle() {
    return {
      axisLine: { lineStyle: { color: color('--line') } },
      axisTick: { show: false },
      axisLabel: { color: color('--soft'), fontFamily: font },
      splitLine: { lineStyle: { color: color('--line') } },
      nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left' }
    };
  }

  function bars(shown, value, text, extra) {
    const axis = axisStyle();
    return Object.assign(base(), {
      grid: { left: 44, right: 12, top: 46, height: PLOT_HEIGHT },
      legend: {
        top: 4, left: 0, itemWidth: 12, itemHeight: 12, itemGap: 18, data: shown.map(label),
        textStyle: { color: color('--soft'), fontFamily: font }
      },
      xAxis: Object.assign({ type: 'category', data: workloads }, axis, {
        axisLabel: { color: color('--ink'), fontFamily: font, fontSize: 13 }, splitLine: { show: false } }),
      yAxis: Object.assign({ type: 'value', min: 0 }, axis, { axisLine: { show: false } }),
      series: shown.map((mode, i) => ({
        name: label(mode), type: 'bar', barMaxWidth: 64, barGap: '12%', barCategoryGap: '28%',
        itemStyle: { color: color(MODES[mode]), borderRadius: [3, 3, 0, 0] },
        label: { show: true, position: 'top', distance: 5, color: color('--ink'), fontFamily: font, fontSize: 12, lineHeight: 15,
          formatter: p => p.value == null ? '' : text(mode, workloads[p.dataIndex]) },
        data: workloads.map(w => value(mode, w))
      })).concat(extra || [])
    });
  }

  function mapBars() {
    const shown = modes.filter(m => m !== 'HPCAlone');
    const value = (mode, workload) => { const r = run(mode, workload); return r ? r.mapSeconds : null; };
    const option = bars(shown, value, (mode, workload) => {
      const naive = value('NaiveBB', workload), own = value(mode, workload);
      return fixed(own, 1) + (naive && mode !== 'NaiveBB' ? '\n' + signed(100 * (own / naive - 1)) : '');
    });
    option.tooltip.formatter = p => p.seriesName + ', ' + p.name + ': ' + fixed(p.value, 2) + ' s';
    return option;
  }

  function phaseBars() {
    const seconds = (mode, workload) => counted(run(mode, workload)).map(p => p.seconds);
    const value = (mode, workload) => { const all = seconds(mode, workload); return all.length ? mean(all) : null; };
    const top = round(1.18 * Math.max(...workloads.flatMap(w => modes.flatMap(m => seconds(m, w))), 0.001));
    const lift = all => PLOT_HEIGHT * (Math.max(...all) - mean(all)) / top.max;
    // Dots need the bars' own geometry: band, gap and width are computed as ECharts lays them out.
    const dots = {
      type: 'custom', name: 'phases', z: 5, tooltip: { show: true },
      data: workloads.flatMap((w, wi) => modes.flatMap((m, mi) => seconds(m, w).map(s => [wi, s, mi]))),
      renderItem: (params, api) => {
        const bars = api.barLayout({ count: modes.length, barMaxWidth: 64, barGap: '12%', barCategoryGap: '28%' });
        const at = api.coord([api.value(0), api.value(1)]);
        return { type: 'circle', shape: { cx: at[0] + bars[api.value(2)].offsetCenter, cy: at[1], r: 3.2 },
          style: { fill: color('--card'), stroke: color('--ink'), lineWidth: 1.2 } };
      }
    };
    const option = bars(modes, value, (mode, workload) => {
      const phases = counted(run(mode, workload));
      const slower = 100 * (mean(phases.map(p => p.seconds)) / mean(phases.map(p => p.aloneSeconds)) - 1);
      return fixed(value(mode, workload), 2) + (mode === 'HPCAlone' ? '' : '\n' + signed(slower));
    }, [dots]);
    option.series.filter(s => s.type === 'bar').forEach((s, i) => {
      // Keeps the text above the highest dot.
      s.data = workloads.map(w => {
        const all = seconds(modes[i], w);
        return all.length ? { value: mean(all), label: { offset: [0, -lift(all)] } } : null;
      });
    });
    option.yAxis.max = top.max;
    option.yAxis.interval = top.step;
    option.tooltip.formatter = p => p.seriesType === 'custom'
      ? label(modes[p.value[2]]) + ', one phase: ' + fixed(p.value[1], 3) + ' s'
      : p.seriesName + ', ' + p.name + ': mean ' + fixed(p.value, 3) + ' s';
    return option;
  }

  // The smallest round axis that holds the value in at most five steps.
  function round(value) {
    const power = Math.pow(10, Math.floor(Math.log10(value / 5)));
    const step = [1, 2, 5, 10].map(f => f * power).find(f => value / f <= 5);
    return { step, max: Math.ceil(value / step - 1e-9) * step };
  }

  function timeline(element, r, end, peaks) {
    const alone = r.timeline.tasks.length === 0;
    const axis = axisStyle();
    const hosts = [...new Set(r.timeline.tasks.map(t => t.host))].sort();
    const lanes = hosts.map((h, i) => 'worker ' + (i + 1)).concat(r.timeline.closedPermits.length ? ['permits'] : []);
    const rows = [];
    let top = 4;
    const add = (kind, height, before) => { rows.push({ kind, top: top + before, height }); top += before + height; };
    if (!alone) { add('tasks', 21 * lanes.length, 0); add('ours', 92, 28); }
    add('hpc', 62, 28);
    element.style.height = top + 28 + 'px';
    const left = 74, right = 16;
    const time = (i, last) => Object.assign({ type: 'value', gridIndex: i, min: 0, max: end, interval: interval(end) }, axis, {
      axisLabel: { show: last, color: color('--soft'), fontFamily: font, formatter: v => v >= end && v % interval(end) ? '' : v + ' s' },
      splitLine: { show: false }, axisLine: { onZero: true, lineStyle: { color: color('--line') } } });
    const rate = (i, name, peak) => Object.assign({ type: 'value', gridIndex: i, name, min: 0, max: peak, interval: peak / 2 }, axis, {
      nameLocation: 'end', nameGap: 7, axisLine: { show: false },
      nameTextStyle: { color: color('--soft'), fontFamily: font, align: 'left', padding: [0, 0, 0, 8 ] },
      axisLabel: { color: color('--soft'), fontFamily: font, formatter: v => '' + Math.round(v) } });
    const option = Object.assign(base(), { grid: [], xAxis: [], yAxis: [], series: [] });
    const step = r.timeline.binSeconds;
    rows.forEach((row, i) => {
      option.grid.push({ left, right, top: row.top, height: row.height });
      option.xAxis.push(time(i, i === rows.length - 1));
      if (row.kind === 'tasks') {
        option.yAxis.push(Object.assign({ type: 'category', gridIndex: i, inverse: true, data: lanes }, axis, {
          axisLine: { show: false }, splitLine: { show: false } }));
        option.series.push(taskSeries(r, hosts, i), permitSeries(r, lanes, i));
      } else if (row.kind === 'ours') {
        option.yAxis.push(rate(i, 'we read, MiB/s', peaks.ours));
        const below = [];
        Object.keys(CAUSES).filter(c => r.timeline.ours[c]).forEach(c => option.series.push(
          traffic(cause(c), i, r.timeline.ours[c], step, color(CAUSES[c]), below)));
      } else {
        option.yAxis.push(rate(i, 'HPC writes, MiB/s', peaks.hpc));
        option.series.push(traffic('HPC writes', i, r.timeline.hpc, step, color('--hpc'), []));
      }
      option.series.push(bands(r, i, row.kind === 'tasks'));
    });
    option.tooltip.formatter = p => p.data.text;
    return option;
  }

  const cause = c => c.toLowerCase().replace('_', ' ');
  const interval = end => end > 60 ? 10 : end > 24 ? 5 : end > 8 ? 2 : 1;

  // One rectangle per bin that is not empty, put on top of what was drawn before.
  function traffic(name, i, bins, step, fill, below) {
    const data = [];
    bins.forEach((bytes, b) => {
      const from = below[b] || 0, rate = bytes / MIB / step;
      below[b] = from + rate;
      if (rate > 0) {
        data.push({ value: [b * step, (b + 1) * step, from, from + rate],
          text: name + ': ' + fixed(rate, 0) + ' MiB/s at ' + fixed(b * step, 1) + ' s' });
      }
    });
    return { type: 'custom', name, xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: [2, 3] }, data, clip: true,
      renderItem: (params, api) => {
        const low = api.coord([api.value(0), api.value(2)]), high = api.coord([api.value(1), api.value(3)]);
        return { type: 'rect', style: { fill },
          shape: { x: low[0], y: high[1], width: Math.max(0.8, high[0] - low[0] + 0.25), height: low[1] - high[1] } };
      } };
  }

  function box(api, params, start, end, lane, inset, style) {
    const from = api.coord([start, lane]), to = api.coord([end, lane]);
    const height = api.size([0, 1])[1] * (1 - inset);
    const rect = echarts.graphic.clipRectByRect(
      { x: from[0], y: from[1] - height / 2, width: Math.max(1.5, to[0] - from[0] - 1), height },
      { x: params.coordSys.x, y: params.coordSys.y, width: params.coordSys.width, height: params.coordSys.height });
    return rect && { type: 'rect', shape: Object.assign(rect, { r: 2 }), style };
  }

  function taskSeries(r, hosts, i) {
    return { type: 'custom', name: 'tasks', xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: 2 },
      data: r.timeline.tasks.map(t => ({ value: [t.start, t.end, hosts.indexOf(t.host), t.wave],
        text: 'wave ' + (t.wave + 1) + ', worker ' + (hosts.indexOf(t.host) + 1) + ': ' + fixed(t.end - t.start, 2) + ' s' })),
      renderItem: (params, api) => box(api, params, api.value(0), api.value(1), api.value(2), 0.26,
        { fill: color(api.value(3) % 2 ? '--task-b' : '--task-a') }) };
  }

  function permitSeries(r, lanes, i) {
    return { type: 'custom', name: 'permits', xAxisIndex: i, yAxisIndex: i, z: 3, encode: { x: [0, 1], y: 2 },
      data: r.timeline.closedPermits.map(s => ({ value: [s.start, s.end, lanes.length - 1],
        text: 'prefetch permit closed for ' + fixed(s.end - s.start, 2) + ' s' })),
      renderItem: (params, api) => box(api, params, api.value(0), api.value(1), api.value(2), 0.36, {
        fill: 'transparent', stroke: color('--missed'), lineWidth: 1,
        decal: { symbol: 'rect', color: color('--missed'), dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4 } }) };
  }

  function bands(r, i, labelled) {
    return { type: 'line', xAxisIndex: i, yAxisIndex: i, data: [], silent: true, z: 1,
      markArea: { silent: true, itemStyle: { color: color('--band') },
        data: r.phases.map(p => [{ xAxis: p.startSeconds }, { xAxis: p.startSeconds + p.seconds }]) },
      markLine: labelled || !r.timeline.map.length ? undefined : { silent: true, symbol: 'none', animation: false,
        lineStyle: { color: color('--soft'), type: 'dashed', width: 1 }, label: { show: false },
        data: r.timeline.map.flatMap(m => [{ xAxis: m.start }, { xAxis: m.end }]) } };
  }

  // An even number, so that the axis can have a middle.
  function ceiling(values) { return Math.max(2, 2 * Math.ceil(Math.max(...values) / 10) * 5); }

  function stacked(r) {
    const series = Object.values(r.timeline.ours);
    return series.length ? series[0].map((x, i) => series.reduce((sum, s) => sum + (s[i] || 0), 0)) : [];
  }

  function draw() {
    charts.splice(0).forEach(c => c.dispose());
    const show = (id, option) => {
      const element = document.getElementById(id);
      const drawn = option(element);
      const chart = echarts.init(element, null, { renderer: 'svg' });
      chart.setOption(drawn);
      charts.push(chart);
    };
    show('map-bars', mapBars);
    show('phase-bars', phaseBars);
    workloads.forEach((w, wi) => {
      const runs = report.runs.filter(r => r.workload === w);
      const end = Math.max(...runs.map(shownSeconds));
      const rate = bytes => bytes / MIB / runs[0].timeline.binSeconds;
      const peaks = { ours: ceiling(runs.flatMap(r => stacked(r).map(rate))), hpc: ceiling(runs.flatMap(r => r.timeline.hpc.map(rate))) };
      runs.forEach(r => show('timeline-' + wi + '-' + r.mode, element => timeline(element, r, Math.ceil(end), peaks)));
    });
  }

  // The map phase and a little of what follows: the rest of a run shows neither side anything new.
  function shownSeconds(r) {
    return r.timeline.map.length ? Math.min(r.timeline.seconds, r.timeline.map[0].end + 2) : 0;
  }

  draw();
  window.addEventListener('resize', () => charts.forEach(c => c.resize()));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
